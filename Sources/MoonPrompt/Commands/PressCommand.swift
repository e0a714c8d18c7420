import MoonTerminal
import Moonwire

/// The command `:press`, which does what keys do.
struct PressCommand: PromptCommand {
  static let manual = CommandManual(
    name: "press", arguments: "keys", summary: "does what keys do, such as ctrl+n or g i",
    example: ":press ctrl+n")

  let keys: String

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let text = arguments.trimmedRest
    guard !text.isEmpty else { throw arguments.error(.missingArgument(Self.manual)) }
    // A client of the protocol passes JSON.
    let quoted = text.utf8.count > 1 && text.hasPrefix("\"") ? try? Value(parsing: text) : nil
    keys = quoted?.stringValue ?? text
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(request.snapshot.keys.map { .init($0.keys, note: $0.title) })
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let cause = session.cause
    let outcome = try await session.usingScreen { (host, id) throws(ScreenError) in
      try id.press(keys, cause: cause, on: host)
    }
    return OutcomeAnswer(kind: Self.manual.name, outcome: outcome, screenDisplay: .after(outcome))
  }
}
