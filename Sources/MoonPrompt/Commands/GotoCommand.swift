import MoonTerminal
import Moonwire

/// The command `:goto`, which shows the state after an action.
struct GotoCommand: PromptCommand {
  static let manual = CommandManual(
    name: "goto", arguments: "id|beginning|present",
    summary: "shows the state after an action, or the first or the latest one",
    example: ":goto 12")

  let place: TimelinePlace

  init(_ place: TimelinePlace) { self.place = place }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    switch arguments.trimmedRest {
    case "": throw arguments.error(.missingArgument(Self.manual))
    case "beginning": place = .position(0)
    case "present": place = .present
    default: place = .action(try arguments.actionID())
    }
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(
      [.init("present", note: "the latest state"), .init("beginning", note: "the first state")]
        + request.steps())
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    try await session.travelling(Self.manual.name) { [place] (host, id) throws(TimelineError) in
      try host.travel(to: place, in: id)
    }
  }
}

extension CompletionRequest {
  /// Proposes the actions of the timeline, the latest first.
  func steps() -> [Completion.Candidate] {
    snapshot.steps.map { .init("\($0.id)", note: $0.title) }
  }
}

extension PromptScanner {
  /// Reads the rest as the number of an action, with or without `#`.
  func actionID() throws(PromptLineError) -> Int64 {
    let text = trimmedRest
    guard let id = Self.actionID(text) else { throw error(.notAnActionID(text)) }
    return id
  }

  /// Returns the number of an action; nil if the text isn't one.
  static func actionID(_ text: String) -> Int64? {
    Int64(text.hasPrefix("#") ? String(text.dropFirst()) : text).flatMap { $0 > 0 ? $0 : nil }
  }
}
