import MoonTerminal
import Moonwire

/// The layout of answers as text.
package struct TextLayout {
  let style: Style
  let columns: Int
  /// Whether times of day and the usage of modules are shown.
  ///
  /// They differ from run to run, so scripts omit them.
  let clock: ClockTimes
  /// The width of screens.
  var screenColumns = TerminalSize.columnCountFallback

  enum ClockTimes {
    case shown
    case hidden
  }

  /// The default number of lines of a list: most of a terminal.
  static let listLineCount = 20

  private static let nothingBelow =
    "no screen is shown: nothing was below the last one, as its route has no `parent`; "
    + ":open URL shows one"

  /// Returns text of minor importance.
  func dim(_ text: String) -> String { style.paint(text, .dim) }

  /// Returns a value on as many lines as it needs.
  func full(_ value: Value) -> String { ValueText(style: style).full(value, columns: columns) }

  /// Returns a value on as many lines as it needs, including what ``full(_:)`` leaves out.
  func whole(_ value: Value) -> String {
    ValueText(style: style).full(value, columns: columns, limits: .whole)
  }

  /// Returns a value on one line.
  func line(_ value: Value) -> String { ValueText(style: style).line(value, columns: columns) }

  /// Returns a result of Lua.
  func evaluated(_ value: EvaluatedValue) -> String {
    switch value {
    case .value(let value): full(value)
    case .described(let text): TerminalText.sanitized(text)
    }
  }

  /// Returns the changes of a step; none without a step, or if it hasn't changed anything.
  func anyChanges(_ step: StateStep?) -> [String] {
    step.map { $0.before == $0.after ? [] : changes($0) } ?? []
  }

  /// Returns the changes, or that there are none.
  ///
  /// For the navigation, that is only its trail.
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
      + (step.hasLostTop ? [dim(Self.nothingBelow)] : [])
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
