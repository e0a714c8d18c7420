extension KeysFileError {
  /// Returns the report on the file at a path.
  package func report(at path: String) -> Report {
    Report(
      .warning, "the keys in \(path) don't count", detail: "\(self)",
      rows: [.init("help", "mend it, and :keys reads it again")])
  }
}
