import Moonwire

/// The command `:back`, which goes one step back.
struct BackCommand: PromptCommand {
  static let manual = CommandManual(name: "back", summary: "goes one step back")

  init() {}

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    try arguments.checkEnd(after: Self.manual)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let outcome = try await session.dispatching { (host, id, cause) throws(DispatchError) in
      try host.back(in: id, cause: cause)
    }
    return OutcomeAnswer(kind: Self.manual.name, outcome: outcome, screenDisplay: .after(outcome))
  }
}
