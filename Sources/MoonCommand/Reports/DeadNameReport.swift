import Moonwire

extension DeadName {
  /// What people are told about a registration that is never called.
  var report: Report {
    Report(
      .warning, description, at: registration.place,
      rows: [
        .init(
          "help",
          nearest.map { "did you mean \($0)?" }
            ?? "if it is meant so, write -- moonwire: allow \(name)")
      ])
  }

  /// How many are told unasked: half a screen.
  static let reportCountMax = 5
  /// How many are told to somebody who looks for them.
  static let wantedReportCountMax = 1_000

  /// What people are told about several.
  static func reports(_ names: [DeadName], max: Int = reportCountMax) -> [Report] {
    let left = names.count - max
    guard left > 0 else { return names.map(\.report) }
    return names.prefix(max).map(\.report) + [
      Report(
        .warning, "\(left) more registrations are never called",
        rows: [.init("help", "moonwire check DIR lists them all")])
    ]
  }
}
