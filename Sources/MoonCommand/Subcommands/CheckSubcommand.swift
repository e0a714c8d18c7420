import ArgumentParser
import MoonTerminal
import Moonwire

/// Loads a directory of scripts and says what is wrong with it.
struct CheckSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: Messages.checkAbstract,
    discussion: Messages.checkDiscussion)

  @OptionGroup var scripts: DirectoryArgument

  @OptionGroup var limits: LimitOptions

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts.directory, display, limits.settings)
    let host = inspection.host
    let modules = await host.moduleInfos()
    let strays = await host.strayProblems()
    let conflicts = await host.routeConflicts()
    await host.close()
    show(modules, strays, conflicts, on: inspection.output)
    let count = modules.reduce(strays.count) { $0 + $1.problems.count }
    if case .failed(let code) = inspection.output.failure {
      inspection.output.printNotice(Messages.output(.failed(code: code)))
      throw ExitCode(ExitStatus.outputError)
    }
    if count > 0 { throw ExitCode(ExitStatus.problemsFound) }
  }

  private func show(
    _ modules: [ModuleInfo], _ strays: [ModuleProblem], _ conflicts: [RouteConflict],
    on output: TerminalOutput
  ) {
    let problems = modules.flatMap(\.problems) + strays
    if display.json {
      return output.printResult([
        JSONRecord.line([
          "kind": "check", "modules": .list(List(modules.map(JSONRecord.module))),
          "problems": .list(List(strays.map { Messages.problem($0).value })),
          "warnings": .list(List(conflicts.map(RoutesRecord.conflict))),
        ])
      ])
    }
    for problem in problems { output.printNotice(Messages.problem(problem)) }
    for report in Messages.conflicts(conflicts, max: Messages.wantedConflictCountMax) {
      output.printNotice(report)
    }
    output.printResult([
      Messages.checked(
        modules: modules.count, problems: problems.count, warnings: conflicts.count)
    ])
  }
}
