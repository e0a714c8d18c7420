import Moonwire

/// The command `:back`, which goes one screen back, or back in time.
struct BackCommand: PromptCommand {
  static let manual = CommandManual(
    name: "back", arguments: "[steps]",
    summary: "goes one screen back; with a number, shows the state that many steps earlier",
    example: ":back 2")

  /// The number of steps in time; nil for one screen, or for one step while the session is paused.
  let steps: Int?

  init(_ steps: Int?) { self.steps = steps }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    steps = try arguments.count()
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let isPast = await session.host.timeline(of: session.id)?.isPast ?? false
    if isPast || steps != nil {
      return try await session.travelling(Self.manual.name) {
        [steps] (host, id) throws(TimelineError) in
        try host.travel(to: .back(steps ?? 1), in: id)
      }
    }
    let outcome = try await session.dispatching { (host, id, cause) throws(DispatchError) in
      try host.back(in: id, cause: cause)
    }
    return OutcomeAnswer(kind: Self.manual.name, outcome: outcome, screenDisplay: .after(outcome))
  }
}
