package import Moonwire

extension DoubtfulName {
  /// Whether the name is reported as a note rather than a warning.
  package var isNote: Bool { reason == .unknownField || reason == .unheardAction }

  /// The report on the name.
  package var report: Report {
    Report(isNote ? .note : .warning, description, at: place, rows: [help])
  }

  private var help: Report.Row {
    if let nearest { return .init("help", "did you mean \(nearest)?") }
    if let reason = ScriptNames.absent[name], self.reason == .unassignedGlobal {
      return .init("help", "it isn't in the sandbox" + (reason.isEmpty ? "" : ": \(reason)"))
    }
    return switch reason {
    case .assignedGlobal:
      .init("help", "write local \(name), or keep it in the state: a reload loses globals")
    case .unassignedGlobal, .unknownCommand, .unknownAction, .unknownURL, .unheardAction:
      .init("help", "if it is meant so, write -- moonwire: allow \(name)")
    case .unknownField:
      .init("help", "add it to `state`; if it is meant so, write -- moonwire: allow \(name)")
    case .returnsNothing: .init("help", "return a list of elements, or {} to show nothing")
    }
  }

  /// Returns the reports on several names, limited in number.
  package static func reports(_ names: [DoubtfulName], max: Int = DeadName.reportCountMax)
    -> [Report]
  {
    let left = names.count - max
    guard left > 0 else { return names.map(\.report) }
    return names.prefix(max).map(\.report) + [
      Report(
        .note, "\(Wording.counted(left, "more name")) like that",
        rows: [.init("help", "moonwire check DIR lists them all")])
    ]
  }
}
