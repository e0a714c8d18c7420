package import Moonwire

extension DeadName {
  /// The report on a registration that may never be called.
  package var report: Report {
    Report(
      .warning, description, at: registration.place,
      rows: [
        .init(
          "help",
          nearest.map { "did you mean \($0)?" }
            ?? "if it is meant so, write -- moonwire: allow \(name)")
      ])
  }

  /// The maximum number reported without a request: half a screen.
  package static let reportCountMax = 5
  /// The maximum number reported on request.
  package static let requestedReportCountMax = 1_000

  /// Returns the reports on several, limited in number.
  package static func reports(_ names: [DeadName], max: Int = reportCountMax) -> [Report] {
    let left = names.count - max
    guard left > 0 else { return names.map(\.report) }
    return names.prefix(max).map(\.report) + [
      Report(
        .warning, "\(left) more registrations are never called",
        rows: [.init("help", "moonwire check DIR lists them all")])
    ]
  }
}
