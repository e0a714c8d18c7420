import MoonTerminal
import Moonwire

/// The command `:tap`, which uses a control.
struct TapCommand: PromptCommand {
  static let manual = CommandManual(
    name: "tap", arguments: "number|title", summary: "uses a control of the screen on top",
    example: ":tap Save")

  let control: ScreenControl

  init(_ control: ScreenControl) { self.control = control }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let text = arguments.trimmedRest
    guard !text.isEmpty else { throw arguments.error(.missingArgument(Self.manual)) }
    control = Self.control(text)
  }

  private static func control(_ text: String) -> ScreenControl {
    if let number = Int(text) { return .number(number) }
    // A title that is a number can be quoted.
    if text.hasPrefix("\""), let title = (try? Value(parsing: text))?.stringValue {
      return .name(title)
    }
    var scanner = PromptScanner(text)
    if let title = scanner.singleQuoted(), scanner.isAtEnd { return .name(title) }
    return .name(text)
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(NavigationCandidates(snapshot: request.snapshot).controls)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let outcome = try await session.usingScreen { (host, id, seen) throws(ScreenError) in
      try host.use(control, in: id, seen: seen)
    }
    return OutcomeAnswer(kind: Self.manual.name, outcome: outcome, screenDisplay: .after(outcome))
  }
}
