import ArgumentParser
import MoonPrompt
import MoonServices
import MoonTerminal
import Moonwire

/// Loads a directory of scripts and reports its problems.
struct CheckSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Loads a directory of modules and reports its problems.",
    discussion: """
      No module is started. The exit code is 0 without problems, 1 with problems, and 66 if the \
      directory doesn't exist. Conflicting routes, registrations that are never called because \
      of their names, globals, and settings that no module has are warnings. Fields of the state \
      that nothing has, files whose names only look like a script's, and durable effects, which \
      need a journal, are notes. Neither changes the exit code. A module that isn't granted what \
      it needs is a problem, and is checked nevertheless.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @OptionGroup var settings: HostSettings

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts, display, settings)
    let listing = try? ScriptDirectory(
      root: scripts.directory, followingLinksInto: scripts.linkedDirectories
    ).scan()
    let configured = inspection.settings
    let findings = await inspection.host.perform { host in
      // Everything is granted then, so that the rest is checked, too. No module is started.
      let refused = host.moduleInfos().map(\.refusals)
      host.changeGrants {
        $0.allowsAll = true
        $0.denied = []
      }
      return Findings(
        modules: zip(host.moduleInfos(), refused).map { $0.lacking($1) },
        strays: host.strayProblems(),
        conflicts: host.routeConflicts(), deadNames: host.deadNames(),
        doubtfulNames: host.doubtfulNames(), unknownSettings: configured.unknown(in: host),
        lookalikes: listing?.lookalikes ?? [])
    }
    await inspection.host.close()
    if display.json {
      inspection.output.printResult([JSONRecord.line(findings.record)])
    } else {
      for report in findings.reports { inspection.output.printNotice(report) }
      inspection.output.printResult(findings.needs + [findings.summary])
    }
    if case .failed(let code) = inspection.output.failure {
      inspection.output.printNotice(Report("\(OutputError.failed(code: code))"))
      throw ExitCode(ExitStatus.outputError)
    }
    if !findings.problems.isEmpty { throw ExitCode(ExitStatus.problemsFound) }
  }
}

/// The findings of a check.
private struct Findings: Sendable {
  let modules: [ModuleInfo]
  let strays: [ModuleProblem]
  let conflicts: [RouteConflict]
  let deadNames: [DeadName]
  let doubtfulNames: [DoubtfulName]
  let unknownSettings: [UnknownSetting]
  let lookalikes: [ScriptDirectory.Lookalike]

  /// The maximum number of files shown to people that only look like scripts.
  private static let lookalikeCountMax = 20

  var problems: [ModuleProblem] { modules.flatMap(\.problems) + strays }

  /// The reports for people.
  var reports: [Report] {
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
  var needs: [String] {
    modules.compactMap { module in
      ModuleText.needs(module).map {
        TerminalText.singleLine("module \(module.name) \($0)")
      }
    }
  }

  /// The last line.
  var summary: String {
    let count = problems.count
    let found = count == 0 ? "no problems" : Wording.counted(count, "problem")
    let warningCount =
      conflicts.count + deadNames.count + doubtfulNames.count { !$0.isNote } + unknownSettings.count
    let more = warningCount == 0 ? "" : ", \(Wording.counted(warningCount, "warning"))"
    return "\(Wording.counted(modules.count, "module")), \(found)\(more)"
  }

  /// The record for programs.
  var record: Map {
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
