package import MoonServices
import MoonTerminal
package import Moonwire

/// What a check finds in an app that is loaded and not started.
package struct CheckFindings: Sendable {
  private let modules: [ModuleInfo]
  private let strays: [ModuleProblem]
  private let conflicts: [RouteConflict]
  private let deadNames: [DeadName]
  private let doubtfulNames: [DoubtfulName]
  private let unknownSettings: [UnknownSetting]
  private let lookalikes: [ScriptDirectory.Lookalike]

  /// The maximum number of files shown to people that only look like scripts.
  private static let lookalikeCountMax = 20

  /// Finds what there is to find on a host, which grants everything from then on.
  package init(
    of host: Host, in directory: String, followingLinksInto links: [String],
    _ settings: ConfiguredSettings
  ) async {
    let listing = try? ScriptDirectory(root: directory, followingLinksInto: links).scan()
    self = await host.perform { host in
      // Everything is granted then, so that the rest is checked, too. No module is started.
      let refused = host.moduleInfos().map(\.refusals)
      host.changeGrants {
        $0.allowsAll = true
        $0.denied = []
      }
      return CheckFindings(
        modules: zip(host.moduleInfos(), refused).map { $0.lacking($1) },
        strays: host.strayProblems(), conflicts: host.routeConflicts(),
        deadNames: host.deadNames(), doubtfulNames: host.doubtfulNames(),
        unknownSettings: settings.unknown(in: host), lookalikes: listing?.lookalikes ?? [])
    }
  }

  private init(
    modules: [ModuleInfo], strays: [ModuleProblem], conflicts: [RouteConflict],
    deadNames: [DeadName], doubtfulNames: [DoubtfulName], unknownSettings: [UnknownSetting],
    lookalikes: [ScriptDirectory.Lookalike]
  ) {
    (self.modules, self.strays, self.conflicts) = (modules, strays, conflicts)
    (self.deadNames, self.doubtfulNames) = (deadNames, doubtfulNames)
    (self.unknownSettings, self.lookalikes) = (unknownSettings, lookalikes)
  }

  package var problems: [ModuleProblem] { modules.flatMap(\.problems) + strays }

  /// The reports for people.
  package var reports: [Report] {
    let left = lookalikes.count - Self.lookalikeCountMax
    let reports: [Report] =
      modules.flatMap { ModuleProblem.reports($0.problems, running: nil) } + strays.map(\.report)
    return reports
      + RouteConflict.reports(conflicts, max: RouteConflict.requestedReportCountMax)
      + DeadName.reports(deadNames, max: DeadName.requestedReportCountMax)
      + DoubtfulName.reports(doubtfulNames, max: DeadName.requestedReportCountMax)
      + unknownSettings.map(\.report)
      + lookalikes.prefix(Self.lookalikeCountMax).map(\.report)
      + (left > 0 ? [Report(.note, "\(Wording.counted(left, "file")) more like that")] : [])
      + durableEffects
  }

  private var durableEffects: [Report] {
    [Report(checkedEffectsOf: modules)].compactMap(\.self)
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
    let warningCount =
      conflicts.count + deadNames.count + doubtfulNames.count { !$0.isNote } + unknownSettings.count
    let more = warningCount == 0 ? "" : ", \(Wording.counted(warningCount, "warning"))"
    return "\(Wording.counted(modules.count, "module")), \(found)\(more)"
  }

  /// Whether a record of findings has problems.
  package static func hasProblems(in record: Value) -> Bool {
    let strays = record["problems"]?.listValue ?? List()
    let modules = record["modules"]?.listValue ?? List()
    return !strays.isEmpty || modules.contains { !($0["problems"]?.listValue?.isEmpty ?? true) }
  }

  /// The record for programs.
  package var record: Map {
    let warnings =
      deadNames.map(\.report) + doubtfulNames.filter { !$0.isNote }.map(\.report)
      + unknownSettings.map(\.report)
    let notes =
      doubtfulNames.filter(\.isNote).map(\.report) + lookalikes.map(\.report)
      + durableEffects
    return [
      "kind": "check", "modules": .list(List(modules.map(JSONRecord.module))),
      "problems": .list(List(strays.map { $0.report.value })),
      "warnings": .list(List(conflicts.map(RoutesRecord.conflict) + warnings.map(\.value))),
      "notes": .list(List(notes.map(\.value))),
    ]
  }
}
