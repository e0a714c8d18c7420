import Moonwire

extension RestoreError {
  /// Returns the report on a state that can't be restored.
  func report(from path: String) -> Report {
    Report(
      "no run can begin with the state in \(path)", detail: "\(self)",
      rows: [helpRow])
  }
}

extension RestoreError {
  private var helpRow: Report.Row {
    if case .refusedSlice(let name, let refusal) = self, let help = refusal.help(for: name) {
      return .init("help", help)
    }
    return RestoreFileError.helpRow
  }
}

extension SliceRefusal {
  /// Returns advice on raising the limit of a module's slice; nil if the limit isn't the problem.
  func help(for module: String) -> String? {
    guard case .tooLarge(let max) = self else { return nil }
    return "to allow more, add --limit \(module):state=\(Swift.max(1, max >> 19))MB"
  }
}

extension StateReader.UnreadableSlice {
  /// Returns the report on a slice that couldn't be restored.
  func report(in path: String, isReplaced: Bool) -> Report {
    Report(
      .warning, "the slice of \(slice) can't be read: it begins as without a state",
      at: SourcePlace(file: path, line: error.line),
      detail: "column \(error.column): \(error.reason)",
      rows: isReplaced
        ? [.init("meanwhile", "the file is kept as \(path).before when it is written again")] : [])
  }
}

extension StateText.Omission {
  /// The report on a slice that couldn't be written.
  var report: Report {
    Report(
      "the slice of \(slice) isn't written: its text would exceed \(Wording.size(byteCountMax))",
      rows: [
        .init("meanwhile", "all other slices are written"),
        .init("help", "does it hold the same large value many times?"),
      ])
  }
}
