import MoonTerminal
import Moonwire

/// The command `:screen`, which shows a screen.
struct ScreenCommand: PromptCommand {
  static let manual = CommandManual(
    name: "screen", arguments: "[id]", summary: "shows the screen on top, or the one with an id",
    example: ":screen detail-2")

  let screen: String?

  init(_ screen: String?) { self.screen = screen }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let text = arguments.trimmedRest
    screen = text.isEmpty ? nil : text
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    request.matching(NavigationCandidates(snapshot: request.snapshot).screens)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    guard let screen else { return Answer(snapshot: await session.topScreen()) }
    return Answer(snapshot: try await session.screen(screen))
  }

  private struct Answer: PromptAnswer {
    /// The screen; nil if none is shown.
    let snapshot: ScreenSnapshot?

    var shownScreen: ShownScreen? { snapshot?.shown }
    var hasFailures: Bool { snapshot?.shown.failure != nil }

    func lines(_ layout: TextLayout) -> [String] {
      snapshot.map { ScreenText(style: layout.style, columns: layout.screenColumns).lines($0) }
        ?? [layout.dim("no screen is shown: :open URL shows one")]
    }

    var record: Map? { ScreenRecord.screen(snapshot) }
  }
}
