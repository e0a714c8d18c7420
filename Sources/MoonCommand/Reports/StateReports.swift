import Moonwire

extension RestoreError {
  /// What people are told about a state that no run can begin with.
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
  /// How the slice of a module may be larger; nil if that isn't what it needs.
  func help(for module: String) -> String? {
    guard case .tooLarge(let max) = self else { return nil }
    return "to allow more, add --limit \(module):state=\(Swift.max(1, max >> 19))MB"
  }
}

extension StateReader.UnreadableSlice {
  /// What people are told about a slice that a run begins without.
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
  /// What people are told about a slice that isn't written.
  var report: Report {
    Report(
      "the slice of \(slice) isn't written: its text would exceed \(Wording.size(byteCountMax))",
      rows: [
        .init("meanwhile", "all other slices are written"),
        .init("help", "does it hold the same large value many times?"),
      ])
  }
}
