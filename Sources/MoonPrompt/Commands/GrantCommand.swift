import MoonTerminal
import Moonwire

/// The commands `:grant` and `:revoke`, which change what a module is granted.
struct GrantChange: Sendable, Equatable {
  let module: String
  /// The scope; nil for all that the module requests.
  let scope: Scope?
  /// Whether the grant is kept for later runs.
  var isKept = false

  /// Reads `module [scope]`, with `always` after it if that is allowed.
  init(
    parsing arguments: PromptScanner, of manual: CommandManual, canBeKept: Bool
  ) throws(PromptLineError) {
    var words = arguments.trimmedRest.split(separator: " ").map(String.init)
    if canBeKept, words.count > 1, words.last == "always" {
      isKept = true
      words.removeLast()
    }
    guard let name = words.first else { throw arguments.error(.missingArgument(manual)) }
    guard ModuleName(name) != nil else { throw arguments.error(.notAModuleName(name)) }
    module = name
    guard words.count <= 2 else { throw arguments.error(.unexpectedArgument(manual)) }
    guard words.count == 2 else {
      scope = nil
      return
    }
    do throws(ScopeError) {
      scope = try Scope(parsing: words[1])
    } catch {
      throw arguments.error(.notAScope(words[1], error))
    }
  }

  /// Returns the rules to add or to remove; for all, those of which `isWanted` is true.
  func rules(
    in session: PromptSession, _ isWanted: (ModuleGrant) -> Bool
  ) async throws(PromptError) -> [Grants.Rule] {
    let name = try await session.module(named: module)
    if let scope { return [Grants.Rule(scope, for: name)] }
    return await ModuleGrant.all(of: name, on: session.host).filter(isWanted).map(\.rule)
  }

  /// Returns what the module requests and is granted now.
  func answer(_ kind: String, in session: PromptSession) async throws(PromptError) -> GrantsAnswer {
    let name = try await session.module(named: module)
    let grants = await ModuleGrant.all(of: name, on: session.host)
    guard let scope, let name else { return GrantsAnswer(kind: kind, grants: grants) }
    let rule = Grants.Rule(scope, for: name)
    var alone = Grants()
    alone.directories = await session.host.grants.directories
    alone.allowed = [rule]
    let isRequested = grants.contains { alone.answer(to: $0.scope, of: name) == .granted }
    return GrantsAnswer(kind: kind, grants: grants, unrequested: isRequested ? nil : rule)
  }
}

/// The command `:grant`, which grants a module what it requests.
struct GrantCommand: PromptCommand {
  static let manual = CommandManual(
    name: "grant", arguments: "module [scope] [always]",
    summary: "grants a module a scope, or all that it requests, for this run or always",
    example: ":grant weather net:api.example.com always")

  private let change: GrantChange

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    change = try GrantChange(parsing: arguments, of: Self.manual, canBeKept: true)
  }

  static func completion(_ request: CompletionRequest) -> Completion { request.modules() }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let rules = try await change.rules(in: session) { $0.answer != .granted }
    if change.isKept { for rule in rules { try session.keep(rule) } }
    await session.host.perform { host in
      _ = host.changeGrants { grants in
        // What was revoked is denied until it is granted again.
        grants.denied.removeAll { rules.contains($0) }
        grants.allowed += rules.filter { !grants.allowed.contains($0) }
      }
      for name in Set(rules.compactMap(\.module)) { host.resume(name) }
    }
    return try await change.answer("grant", in: session)
  }
}

extension PromptSession {
  /// Keeps a grant for later runs.
  ///
  /// - Throws: ``PromptError/grants(_:_:)``
  func keep(_ rule: Grants.Rule) throws(PromptError) {
    guard let kept = keptGrants, let file = kept.file else { throw .noGrantsFile }
    do throws(GrantsFileError) { try kept.add(rule) } catch {
      throw .grants(error, path: file.path)
    }
  }

  /// Removes a kept grant.
  ///
  /// - Throws: ``PromptError/grants(_:_:)``
  func drop(_ rule: Grants.Rule) throws(PromptError) {
    guard let kept = keptGrants, let file = kept.file else { return }
    do throws(GrantsFileError) { try kept.remove(rule) } catch {
      throw .grants(error, path: file.path)
    }
  }
}
