import Moonwire

/// The command `:quit`, which quits the prompt.
struct QuitCommand: PromptCommand {
  static let manual = CommandManual(
    name: "quit", aliases: ["q", "exit", "bye"], summary: "quits, as Ctrl-D does")

  init() {}

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    try arguments.checkEnd(after: Self.manual)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer { Answer() }

  private struct Answer: PromptAnswer {
    var endsPrompt: Bool { true }
    var record: Map? { nil }

    func lines(_ layout: TextLayout) -> [String] { [] }
  }
}
