import MoonTerminal
import Moonwire

/// How answers look to people.
struct TextLayout {
  let style: Style
  let columns: Int
  /// Whether times of day, and what modules use, are shown: they differ from run to run, which a
  /// script's reader minds.
  let clock: ClockTimes
  /// How wide screens are.
  var screenColumns = TerminalSize.columnCountFallback

  enum ClockTimes {
    case shown
    case hidden
  }

  /// How many lines of a list are shown when nobody says how many: most of a terminal's.
  static let listLineCount = 20

  /// Something of little weight.
  func dim(_ text: String) -> String { style.paint(text, .dim) }

  /// A value on as many lines as it needs.
  func full(_ value: Value) -> String { ValueText(style: style).full(value, columns: columns) }

  /// A value on one line.
  func line(_ value: Value) -> String { ValueText(style: style).line(value, columns: columns) }

  /// What Lua gave.
  func evaluated(_ value: EvaluatedValue) -> String {
    switch value {
    case .value(let value): full(value)
    case .described(let text): TerminalText.sanitized(text)
    }
  }

  /// What changed; of the navigation, only where it leads.
  func changes(_ step: StateStep) -> [String] {
    let text = ChangeText(style: style, columns: columns)
    guard let tree = step.newNavigation else { return text.lines(step.changes) }
    let label = "navigation"
    let trails = step.movedWindowIDs.map { id in
      TrailText(tree: tree, windowID: id).text(columns: max(20, columns - label.count - 2))
    }
    let elsewhere = step.changesElsewhere
    return (elsewhere.changes.isEmpty ? [] : text.lines(elsewhere))
      + trails.map { style.paint(label, .key) + "  " + $0 }
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
