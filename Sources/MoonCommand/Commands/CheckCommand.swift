import ArgumentParser
import Logging
import MoonTerminal
import Moonwire

/// Loads a directory of scripts and says what is wrong with it.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: Messages.checkAbstract,
    discussion: Messages.checkDiscussion)

  @Argument(help: "The directory with the modules.", completion: .directory)
  var directory: String

  @OptionGroup var limits: LimitOptions

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let environment = DisplayOptions.environment
    let screen = Screen(editor: nil, color: display.color.mode, environment: environment)
    do {
      var options = HostOptions()
      let level = display.logLevel.level
      options.logger = Logger(label: "moonwire") { _ in
        ScreenLogHandler(logLevel: level, ring: LogRing(), show: { screen.log($0) })
      }
      for limit in limits.settings { limit.set(in: &options) }
      let host = try Host(directory: directory, options: options)
      let ending = Ending(host, TerminalModes())
      Signals.listen { number in ending.end(signal: number) }
      try await host.load()
      let modules = await host.moduleInfos()
      let strays = await host.strayProblems()
      await host.close()
      show(modules, strays, on: screen)
      let count = modules.reduce(strays.count) { $0 + $1.problems.count }
      if case .failed(let code) = screen.outputFailure {
        screen.notice(Messages.output(.failed(code: code)))
        throw ExitCode(ExitStatus.outputError)
      }
      if count > 0 { throw ExitCode(ExitStatus.problemsFound) }
    } catch let error as FilesError {
      refuse(Messages.noDirectory(error), on: screen)
      throw ExitCode(ExitStatus.noInput)
    } catch let error as HostError {
      refuse(Messages.host(error), on: screen)
      throw ExitCode(ExitStatus.internalError)
    }
  }

  private func show(_ modules: [ModuleInfo], _ strays: [ModuleProblem], on screen: Screen) {
    let problems = modules.flatMap(\.problems) + strays
    if display.json {
      return screen.result([
        ReplyRecord.text([
          "kind": "check", "modules": .list(List(modules.map(ReplyRecord.module))),
          "problems": .list(List(strays.map { Messages.problem($0).value })),
        ])
      ])
    }
    for problem in problems { screen.notice(Messages.problem(problem)) }
    screen.result([Messages.checked(modules: modules.count, problems: problems.count)])
  }

  private func refuse(_ report: Report, on screen: Screen) {
    if display.json { screen.result([ReplyRecord.line(report)]) }
    screen.notice(report)
  }
}
