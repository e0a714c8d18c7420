import Moonwire

/// The command `:nav`, which draws the navigation.
struct NavCommand: PromptCommand {
  static let manual = CommandManual(
    name: "nav", summary: "draws windows, stacks, tabs and split views")

  init() {}

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    try arguments.checkEnd(after: Self.manual)
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    Answer(tree: await session.host.navigationTree(of: session.id) ?? NavigationTree())
  }

  private struct Answer: PromptAnswer {
    let tree: NavigationTree

    func lines(_ layout: TextLayout) -> [String] { tree.drawing }
    var record: Map? { ScreenRecord.navigation(tree) }
  }
}
