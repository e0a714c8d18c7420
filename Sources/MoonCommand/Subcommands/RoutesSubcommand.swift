import ArgumentParser
import MoonPrompt
import MoonTerminal
import Moonwire

/// Shows the modules' URL patterns.
struct RoutesSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes", abstract: "Lists the URL patterns, or explains which one matches a URL.",
    discussion: "`moonwire routes DIR` is short for `moonwire routes list DIR`.",
    subcommands: [ListRoutesSubcommand.self, MatchRoutesSubcommand.self],
    defaultSubcommand: ListRoutesSubcommand.self)
}

/// Lists the patterns.
struct ListRoutesSubcommand: AsyncParsableCommand, HostCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the URL patterns, and those that conflict.")

  @OptionGroup var scripts: DirectoryArgument

  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts, display, settings)
    let output = inspection.output
    let (routes, conflicts, rules) = await inspection.host.perform { host in
      (host.routeInfos(), host.routeConflicts(), host.routing)
    }
    await inspection.reportProblems()
    await inspection.host.close()
    if display.json {
      return output.printResult([
        JSONRecord.line(RoutesRecord.list(routes, conflicts, rules))
      ])
    }
    let reports = RouteConflict.reports(conflicts, max: RouteConflict.requestedReportCountMax)
      .map { $0.text(output.resultStyle) }
    let text = RoutesText(style: output.resultStyle, columns: output.columns)
    output.printResult(
      text.lines(routes) + text.rules(rules) + (reports.isEmpty ? [] : [""] + reports))
  }
}

/// Explains which pattern matches a URL.
struct MatchRoutesSubcommand: AsyncParsableCommand, HostCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Shows which pattern matches a URL, and why the others don't.",
    discussion: """
      No module is started, and no handler or observer is called. The exit code is 0 if a \
      pattern matches, 1 if none does, 65 if the text isn't a URL, and 66 if the directory \
      doesn't exist.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @Argument(help: "The URL, such as /message/7 or app://message/7.")
  var url: String

  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var display: DisplayOptions

  func run() async throws {
    let inspection = try await Inspection(of: scripts, display, settings)
    let output = inspection.output
    let url = Text(url)
    let explanation: RouteExplanation
    do throws(RouteRequestError) {
      explanation = try await inspection.host.explain(url)
    } catch {
      throw inspection.refusal(error.report(on: self.url), ExitStatus.dataError)
    }
    let guards = await inspection.host.guards(of: explanation)
    let rules = await inspection.host.routing
    await inspection.reportProblems()
    await inspection.host.close()
    if display.json {
      output.printResult([
        JSONRecord.line(RoutesRecord.match(explanation, of: url, guards: guards, rules))
      ])
    } else {
      let text = RoutesText(style: output.resultStyle, columns: output.columns)
      output.printResult(text.lines(explanation, of: url, guards: guards) + text.rules(rules))
    }
    if explanation.winner == nil { throw ExitCode(ExitStatus.problemsFound) }
  }
}
