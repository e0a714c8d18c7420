import MoonTerminal
import Moonwire

/// The command `:revoke`, which takes grants back.
struct RevokeCommand: PromptCommand {
  static let manual = CommandManual(
    name: "revoke", arguments: "module [scope]",
    summary: "takes back what a module is granted: a scope, or all that it requests",
    example: ":revoke weather net:api.example.com")

  private let change: GrantChange

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    change = try GrantChange(parsing: arguments, of: Self.manual, canBeKept: false)
  }

  static func completion(_ request: CompletionRequest) -> Completion { request.modules() }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let rules = try await change.rules(in: session) { $0.answer == .granted }
    for rule in rules { try session.drop(rule) }
    await session.host.perform { host in
      _ = host.changeGrants { grants in
        grants.allowed.removeAll { rules.contains($0) }
        for rule in rules {
          // A rule for all modules, or a wider scope, may still grant it.
          guard let module = rule.module, grants.answer(to: rule.scope, of: module) == .granted
          else { continue }
          grants.denied.append(rule)
        }
      }
    }
    return try await change.answer("revoke", in: session)
  }
}
