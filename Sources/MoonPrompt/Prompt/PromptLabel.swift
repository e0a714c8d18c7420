package import MoonTerminal

/// The prompt of a line: the app's name, the title of the screen on top, a mark if a file
/// differs from the module in service, and the moment if the session is paused at one.
package struct PromptLabel: Sendable {
  /// The maximum width of a screen's title.
  static let titleWidthMax = 24

  let name: String
  let style: Style

  package init(name: String, style: Style) {
    self.name = name
    self.style = style
  }

  /// Returns the label, with colours.
  package func text(_ snapshot: PromptSnapshot) -> String {
    let mark = snapshot.isFailing ? style.paint("!", .error) : ""
    let title = snapshot.title.map { " [\(short($0))]" } ?? ""
    return style.paint(TerminalText.singleLine(name), .prompt) + style.paint(title, .dim) + mark
      + standing(snapshot) + "> "
  }

  private func standing(_ snapshot: PromptSnapshot) -> String {
    let paused = snapshot.moment.map { "paused at \($0.position)/\($0.count)" }
    let parts = [paused, snapshot.isLocked ? "locked" : nil].compactMap { $0 }
    return parts.isEmpty ? "" : style.paint(" (\(parts.joined(separator: ", ")))", .warning)
  }

  /// The label of continuation lines.
  package var continuation: String { style.paint("…", .prompt) + "> " }

  private func short(_ title: String) -> String {
    let safe = TerminalText.singleLine(title)
    return TerminalText.clipped(safe, to: Self.titleWidthMax)
  }
}
