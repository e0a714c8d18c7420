import MoonTerminal
import Moonwire

/// The command `:press`, which does what keys do.
struct PressCommand: PromptCommand {
  static let manual = CommandManual(
    name: "press", arguments: "keys [on number]",
    summary: "does what keys do, such as ctrl+n or g i, while a control has the focus",
    example: ":press ctrl+n")

  let keys: String
  /// The number of the control that has the focus.
  let focused: Int?

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let text = arguments.trimmedRest
    guard !text.isEmpty else { throw arguments.error(.missingArgument(Self.manual)) }
    let words = text.split(separator: " ")
    var keys = text
    if words.count > 2, words[words.count - 2] == "on", let number = Int(words[words.count - 1]) {
      focused = number
      keys = words.dropLast(2).joined(separator: " ")
    } else {
      focused = nil
    }
    // A client of the protocol passes JSON.
    let isQuoted = keys.utf8.count > 1 && keys.hasPrefix("\"")
    self.keys = (isQuoted ? try? Value(parsing: keys) : nil)?.stringValue ?? keys
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(request.snapshot.keys.map { .init($0.keys, note: $0.title) })
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let cause = session.cause
    let outcome = try await session.usingScreen { (host, id, seen) throws(ScreenError) in
      try id.press(keys, focused: focused, seen: seen, cause: cause, on: host)
    }
    return OutcomeAnswer(kind: Self.manual.name, outcome: outcome, screenDisplay: .after(outcome))
  }
}
