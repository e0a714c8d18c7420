import ArgumentParser
import MoonTerminal
import Moonwire

/// Loads a directory of scripts and reports its problems.
struct CheckSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Loads a directory of modules and reports its problems.",
    discussion: """
      No module is started. The exit code is 0 without problems, 1 with problems, and 66 if the \
      directory doesn't exist. Conflicting routes, and registrations that are never called \
      because of their names, are warnings. Files whose names only look like a script's are \
      notes. Neither changes the exit code.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @OptionGroup var settings: HostSettings

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts, display, settings)
    let host = inspection.host
    let modules = await host.moduleInfos()
    let strays = await host.strayProblems()
    let conflicts = await host.routeConflicts()
    let names = await host.deadNames()
    await host.close()
    let listing = try? ScriptDirectory(
      root: scripts.directory, followingLinksInto: scripts.linkedDirectories
    ).scan()
    show(modules, strays, conflicts, names, listing?.lookalikes ?? [], on: inspection.output)
    let count = modules.reduce(strays.count) { $0 + $1.problems.count }
    if case .failed(let code) = inspection.output.failure {
      inspection.output.printNotice(Report("\(OutputError.failed(code: code))"))
      throw ExitCode(ExitStatus.outputError)
    }
    if count > 0 { throw ExitCode(ExitStatus.problemsFound) }
  }

  /// The maximum number of files shown to people that only look like scripts.
  private static let lookalikeCountMax = 20

  /// The last line.
  private static func summary(modules: Int, problems: Int, warnings: Int) -> String {
    let found = problems == 0 ? "no problems" : Wording.counted(problems, "problem")
    let more = warnings == 0 ? "" : ", \(Wording.counted(warnings, "warning"))"
    return "\(Wording.counted(modules, "module")), \(found)\(more)"
  }

  private func show(
    _ modules: [ModuleInfo], _ strays: [ModuleProblem], _ conflicts: [RouteConflict],
    _ names: [DeadName], _ lookalikes: [ScriptDirectory.Lookalike], on output: TerminalOutput
  ) {
    let problems = modules.flatMap(\.problems) + strays
    if display.json {
      return output.printResult([
        JSONRecord.line([
          "kind": "check", "modules": .list(List(modules.map(JSONRecord.module))),
          "problems": .list(List(strays.map { $0.report.value })),
          "warnings": .list(
            List(conflicts.map(RoutesRecord.conflict) + names.map(\.report.value))),
          "notes": .list(List(lookalikes.map(\.report.value))),
        ])
      ])
    }
    for module in modules {
      for report in ModuleProblem.reports(module.problems, running: nil) {
        output.printNotice(report)
      }
    }
    for problem in strays { output.printNotice(problem.report) }
    for report in RouteConflict.reports(conflicts, max: RouteConflict.wantedReportCountMax) {
      output.printNotice(report)
    }
    for report in DeadName.reports(names, max: DeadName.wantedReportCountMax) {
      output.printNotice(report)
    }
    for lookalike in lookalikes.prefix(Self.lookalikeCountMax) {
      output.printNotice(lookalike.report)
    }
    let more = lookalikes.count - Self.lookalikeCountMax
    if more > 0 {
      output.printNotice(Report(.note, "\(Wording.counted(more, "file")) more like that"))
    }
    output.printResult(
      modules.compactMap { module in
        ModuleText.needs(module).map { "module \(module.name) \($0)" }
      })
    output.printResult([
      Self.summary(
        modules: modules.count, problems: problems.count, warnings: conflicts.count + names.count)
    ])
  }
}
