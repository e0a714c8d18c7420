package import MoonPrompt
package import MoonServices
package import MoonTerminal
package import Moonwire

/// What a check finds in an app that is loaded and not started.
package struct CheckFindings: Sendable {
  private let modules: [ModuleInfo]
  private let strays: [ModuleProblem]
  /// The warnings and notes that no comment ignores.
  private let remarks: [Finding]
  /// How many more there are than are among the findings.
  private let left: Left

  /// Numbers of what isn't shown.
  private struct Left {
    var conflicts = 0
    var names = 0
    var locals = 0
    var lookalikes = 0

    /// The number of those that are warnings.
    var warningCount: Int { conflicts + names + locals }

    var reports: [Report] {
      [
        conflicts > 0 ? Report(.warning, "\(conflicts) more routes conflict") : nil,
        names > 0 ? Report(.warning, "\(Wording.counted(names, "more name")) like that") : nil,
        locals > 0 ? Report(.warning, "\(Wording.counted(locals, "more local")) like that") : nil,
        lookalikes > 0
          ? Report(.note, "\(Wording.counted(lookalikes, "file")) more like that") : nil,
      ].compactMap(\.self)
    }
  }

  /// The maximum number of files shown that only look like scripts.
  private static let lookalikeCountMax = 20
  /// The maximum number of remarks on locals shown.
  private static let localCountMax = 1_000

  /// Finds what there is to find on a host, which grants everything from then on.
  package init(
    of host: Host, in directory: String, followingLinksInto links: [String],
    _ settings: ConfiguredSettings
  ) async {
    let scripts = ScriptDirectory(root: directory, followingLinksInto: links)
    let listing = try? scripts.scan()
    let (modules, strays, found) = await host.perform { host in
      // Everything is granted then, so that the rest is checked, too. No module is started.
      let refused = host.moduleInfos().map(\.refusals)
      host.changeGrants {
        $0.allowsAll = true
        $0.denied = []
      }
      let modules = zip(host.moduleInfos(), refused).map { $0.lacking($1) }
      return (
        modules, host.strayProblems(),
        (
          conflicts: host.routeConflicts(), dead: host.deadNames(),
          doubtful: host.doubtfulNames(), settings: settings.unknown(in: host)
        )
      )
    }
    let problems = modules.flatMap(\.problems) + strays
    let sources = LintedSources(
      listing?.entries.map(\.path) ?? [], in: scripts,
      broken: Set(problems.filter { $0.reason.code == .syntax }.map(\.place.file)))
    let conflicts = RouteConflict.reports(
      found.conflicts, max: RouteConflict.requestedReportCountMax)
    let most = found.conflicts.prefix(RouteConflict.requestedReportCountMax)
    var remarks = zip(most, conflicts).map { conflict, report in
      Finding(
        .routeConflict, report, at: conflict.later.place,
        record: RoutesRecord.conflict(conflict).mapValue ?? Map())
    }
    let max = DeadName.requestedReportCountMax
    remarks += found.dead.prefix(max).map { Finding($0.code, $0.report) }
    remarks += found.doubtful.prefix(max).map { Finding($0.code, $0.report, column: $0.column) }
    remarks += found.settings.map { Finding(.unknownSetting, $0.report) }
    remarks += (listing?.lookalikes ?? []).prefix(Self.lookalikeCountMax).map {
      Finding(.notAScript, $0.report, at: SourcePlace(file: $0.path, line: 0))
    }
    if let report = Report(checkedEffectsOf: modules) {
      remarks.append(Finding(.needsJournal, report))
    }
    remarks += sources.locals.prefix(Self.localCountMax)
    (self.modules, self.strays) = (modules, strays)
    self.remarks = sources.withoutIgnored(remarks).sorted { $0.rank < $1.rank }
    left = Left(
      conflicts: found.conflicts.count - most.count,
      names: Swift.max(0, found.dead.count - max) + Swift.max(0, found.doubtful.count - max),
      locals: Swift.max(0, sources.locals.count - Self.localCountMax),
      lookalikes: Swift.max(0, (listing?.lookalikes.count ?? 0) - Self.lookalikeCountMax))
  }

  package var problems: [ModuleProblem] { modules.flatMap(Self.problems(of:)) + strays }

  /// Returns the problems of a module in the order of their places.
  private static func problems(of module: ModuleInfo) -> [ModuleProblem] {
    module.problems.sorted { ($0.place.file, $0.place.line) < ($1.place.file, $1.place.line) }
  }

  /// All findings: problems, then warnings, then notes, each in the order of their places.
  package var all: [Finding] {
    problems.map { Finding($0.reason.code, $0.report, at: $0.place) } + remarks
  }

  /// The reports for people.
  package var reports: [Report] {
    modules.flatMap { ModuleProblem.reports(Self.problems(of: $0), running: nil) }
      + strays.map(\.report) + remarks.map(\.report) + left.reports
  }

  /// What people are told, without final newlines.
  package func text(_ style: Style) -> [String] {
    reports.map { $0.text(style, showingCode: true) } + lastLines
  }

  /// The scopes that modules need, one line for each module.
  private var needs: [String] {
    modules.compactMap { module in
      ModuleText.needs(module).map {
        TerminalText.singleLine("module \(module.name) \($0)")
      }
    }
  }

  /// What follows the reports: the needs of modules, and how much was found.
  package var lastLines: [String] { needs + [summary] }

  private var summary: String {
    let count = problems.count
    let found = count == 0 ? "no problems" : Wording.counted(count, "problem")
    let warningCount = warnings.count + left.warningCount
    let noteCount = remarks.count - warnings.count + left.lookalikes
    let more = [(warningCount, "warning"), (noteCount, "note")].filter { $0.0 > 0 }
      .map { ", \(Wording.counted($0, $1))" }.joined()
    return "\(Wording.counted(modules.count, "module")), \(found)\(more)"
  }

  private var warnings: [Finding] { remarks.filter { $0.report.severity == .warning } }

  /// Whether a record of findings has problems.
  package static func hasProblems(in record: Value) -> Bool {
    let strays = record["problems"]?.listValue ?? List()
    let modules = record["modules"]?.listValue ?? List()
    return !strays.isEmpty || modules.contains { !($0["problems"]?.listValue?.isEmpty ?? true) }
  }

  /// The record for programs.
  package var record: Map {
    let notes = remarks.filter { $0.report.severity == .note }
    return [
      "kind": "check", "modules": .list(List(modules.map(JSONRecord.module))),
      "problems": .list(List(strays.map { $0.report.value })),
      "warnings": .list(List(warnings.map { .map($0.record) })),
      "notes": .list(List(notes.map { .map($0.record) })),
    ]
  }
}

extension Finding {
  /// What findings are sorted by: the severity, and the place.
  fileprivate var rank: (Int, String, Int, Int) {
    (report.severity == .warning ? 0 : 1, place?.file ?? "", place?.line ?? 0, column ?? 0)
  }
}
