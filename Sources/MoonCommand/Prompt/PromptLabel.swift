import MoonTerminal

/// What stands before a line that is typed: the app's name, the title of the screen on top, and a
/// mark while some file doesn't say what is in service.
struct PromptLabel: Sendable {
  /// How many columns of a screen's title are shown: the line is for typing.
  static let titleWidthMax = 24

  let name: String
  let style: Style

  /// The label, with colours.
  func text(_ snapshot: PromptSnapshot) -> String {
    let mark = snapshot.isFailing ? style.paint("!", .error) : ""
    let title = snapshot.title.map { " [\(short($0))]" } ?? ""
    return style.paint(TerminalText.sanitized(name), .prompt) + style.paint(title, .dim) + mark
      + "> "
  }

  /// The label of the lines that belong to the one before.
  var continuation: String { style.paint("…", .prompt) + "> " }

  private func short(_ title: String) -> String {
    let safe = TerminalText.sanitized(title).replacing("\n", with: " ")
    return TerminalText.clipped(safe, to: Self.titleWidthMax)
  }
}
