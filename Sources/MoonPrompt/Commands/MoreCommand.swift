import MoonTerminal
import Moonwire

/// The command `:more`, which shows the lines of an answer that didn't fit the terminal.
struct MoreCommand: PromptCommand {
  static let manual = CommandManual(
    name: "more", summary: "shows the next lines of an answer that is longer than the terminal")

  init() {}

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    try arguments.checkEnd(after: Self.manual)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    Answer(rest: session.rest.take())
  }

  private struct Answer: PromptAnswer {
    let rest: [String]

    func lines(_ layout: TextLayout) -> [String] {
      rest.isEmpty ? [layout.dim("there is no more")] : rest
    }

    var record: Map? { ["kind": "more", "lines": JSONRecord.list(rest, JSONRecord.text)] }
  }
}
