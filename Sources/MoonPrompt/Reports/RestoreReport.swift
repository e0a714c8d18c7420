package import Moonwire

extension RestoreError {
  /// Returns the report on a state that can't be restored.
  package func report(from path: String) -> Report {
    Report(
      "no run can begin with the state in \(path)", detail: "\(self)",
      rows: [helpRow])
  }

  private var helpRow: Report.Row {
    if case .refusedSlice(let name, let refusal) = self, let help = refusal.help(for: name) {
      return .init("help", help)
    }
    return Self.fileRow
  }

  /// The advice on what can be restored.
  package static var fileRow: Report.Row {
    .init("help", "--restore takes a file that --state has written")
  }
}

extension SliceRefusal {
  /// Returns advice on raising the limit of a module's slice; nil if the limit isn't the problem.
  func help(for module: String) -> String? {
    guard case .tooLarge(let max) = self else { return nil }
    return "to allow more, add --limit \(module):state=\(Swift.max(1, max >> 19))MB"
  }
}
