extension GrantsFileError {
  /// Returns the report on the file at a path.
  package func report(at path: String) -> Report {
    Report(
      .warning, "the grants in \(path) can't be read, so nothing is granted", detail: "\(self)",
      rows: [
        .init("help", "mend it or remove it; nothing is written to it until then")
      ])
  }
}
