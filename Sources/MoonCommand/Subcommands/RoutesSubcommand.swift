import ArgumentParser
import MoonTerminal
import Moonwire

/// Shows the patterns of URLs that the modules have.
struct RoutesSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes", abstract: Messages.routesAbstract,
    discussion: Messages.routesDiscussion,
    subcommands: [ListRoutesSubcommand.self, MatchRoutesSubcommand.self],
    defaultSubcommand: ListRoutesSubcommand.self)
}

/// Lists the patterns.
struct ListRoutesSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: Messages.routesListAbstract)

  @OptionGroup var scripts: DirectoryArgument

  @OptionGroup var limits: LimitOptions

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts.directory, display, limits.settings)
    let output = inspection.output
    let (routes, conflicts) = await inspection.host.perform { host in
      (host.routeInfos(), host.routeConflicts())
    }
    await inspection.reportProblems()
    await inspection.host.close()
    if display.json {
      return output.printResult([JSONRecord.line(RoutesRecord.list(routes, conflicts))])
    }
    let reports = Messages.conflicts(conflicts, max: Messages.wantedConflictCountMax)
      .map { $0.text(output.resultStyle) }
    output.printResult(
      RoutesText(style: output.resultStyle, columns: output.columns).lines(routes)
        + (reports.isEmpty ? [] : [""] + reports))
  }
}

/// Explains what takes a URL.
struct MatchRoutesSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: Messages.routesMatchAbstract,
    discussion: Messages.routesMatchDiscussion)

  @OptionGroup var scripts: DirectoryArgument

  @Argument(help: "The URL, such as /message/7 or app://message/7.")
  var url: String

  @OptionGroup var limits: LimitOptions

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts.directory, display, limits.settings)
    let output = inspection.output
    let url = Text(url)
    let explanation: RouteExplanation
    do throws(RouteRequestError) {
      explanation = try await inspection.host.explain(url)
    } catch {
      throw inspection.refusal(Messages.malformed(self.url, error), ExitStatus.dataError)
    }
    await inspection.reportProblems()
    await inspection.host.close()
    if display.json {
      output.printResult([JSONRecord.line(RoutesRecord.match(explanation, of: url))])
    } else {
      output.printResult(
        RoutesText(style: output.resultStyle, columns: output.columns)
          .lines(explanation, of: url))
    }
    if explanation.winner == nil { throw ExitCode(ExitStatus.problemsFound) }
  }
}

extension Inspection {
  /// Tells what is wrong with modules, whose patterns are missing then.
  fileprivate func reportProblems() async {
    let (modules, strays) = await host.perform { ($0.moduleInfos(), $0.strayProblems()) }
    for problem in modules.flatMap(\.problems) + strays {
      output.printNotice(Messages.problem(problem))
    }
  }
}
