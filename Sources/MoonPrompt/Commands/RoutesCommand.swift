import MoonTerminal
import Moonwire

/// The command `:routes`, which lists URL patterns or explains which one matches a URL.
struct RoutesCommand: PromptCommand {
  static let manual = CommandManual(
    name: "routes", arguments: "[URL]",
    summary: "lists the URL patterns, or explains which one matches a URL",
    example: ":routes /detail/7")

  let url: Text?

  init(_ url: Text?) { self.url = url }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let text = arguments.trimmedRest
    url = text.isEmpty ? nil : Text(text)
  }

  static func completion(_ request: CompletionRequest) -> Completion { request.url() }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    guard let url else {
      return await session.host.perform {
        ListAnswer(
          routes: $0.routeInfos(), conflicts: $0.routeConflicts(), rules: $0.routing)
      }
    }
    do throws(RouteRequestError) {
      let explanation = try await session.host.explain(url)
      return MatchAnswer(
        url: url, explanation: explanation, guards: await session.host.guards(of: explanation),
        rules: await session.host.routing)
    } catch {
      throw .malformed(url.string, error)
    }
  }

  private struct ListAnswer: PromptAnswer {
    let routes: [RouteInfo]
    let conflicts: [RouteConflict]
    let rules: RoutingRules

    func lines(_ layout: TextLayout) -> [String] {
      let text = RoutesText(style: layout.style, columns: layout.columns)
      return text.lines(routes) + text.rules(rules)
        + RouteConflict.reports(conflicts).map { $0.text(layout.style) }
    }

    var record: Map? { RoutesRecord.list(routes, conflicts, rules) }
  }

  private struct MatchAnswer: PromptAnswer {
    let url: Text
    let explanation: RouteExplanation
    let guards: [GuardInfo]
    let rules: RoutingRules

    func lines(_ layout: TextLayout) -> [String] {
      let text = RoutesText(style: layout.style, columns: layout.columns)
      return text.lines(explanation, of: url, guards: guards) + text.rules(rules)
    }

    var record: Map? { RoutesRecord.match(explanation, of: url, guards: guards, rules) }
  }
}
