import MoonTerminal
import Moonwire

/// A command that takes the name of a module, or no argument for all modules.
protocol ModuleCommand: PromptCommand {
  /// The name of the module; nil for all.
  var module: String? { get }

  init(_ module: String?)

  /// Carries out the command for an existing module, or for all.
  ///
  /// - Throws: ``PromptError``
  func run(on module: ModuleName?, in session: PromptSession) async throws(PromptError)
    -> any PromptAnswer
}

extension ModuleCommand {
  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    self.init(try arguments.moduleName())
  }

  static func completion(_ request: CompletionRequest) -> Completion { request.modules() }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    try await run(on: try await session.module(named: module), in: session)
  }
}
