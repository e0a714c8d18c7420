import Moonwire

/// The command `:forward`, which goes forward in time after `:back` or `:goto`.
struct ForwardCommand: PromptCommand {
  static let manual = CommandManual(
    name: "forward", arguments: "[steps]",
    summary: "shows the state after the next step, or that many steps later",
    example: ":forward 2")

  let steps: Int

  init(_ steps: Int) { self.steps = steps }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    steps = try arguments.count() ?? 1
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    try await session.travelling(Self.manual.name) { [steps] (host, id) throws(TimelineError) in
      try host.travel(to: .forward(steps), in: id)
    }
  }
}
