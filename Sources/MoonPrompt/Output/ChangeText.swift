package import MoonTerminal
package import Moonwire

/// Changes as lines of text: `counter.count 1 → 3`.
package struct ChangeText {
  let style: Style
  let columns: Int

  package init(style: Style, columns: Int) {
    self.style = style
    self.columns = columns
  }

  /// The maximum number of changes shown, few enough to take in at a glance.
  static let lineCountMax = 12

  /// Returns the lines of the changes, or a line that says that nothing changed.
  package func lines(_ diff: Diff) -> [String] {
    guard !diff.changes.isEmpty else { return [style.paint("nothing changed", .dim)] }
    var lines = diff.changes.prefix(Self.lineCountMax).map(line)
    let left = diff.changes.count - lines.count
    if left > 0 {
      let more = diff.isTruncated ? "more than \(left)" : "\(left)"
      lines.append(style.paint("… \(more) more", .dim))
    }
    return lines
  }

  private func line(_ change: Change) -> String {
    let name = change.path.components.isEmpty ? "state" : change.path.description
    let path = TerminalText.singleLine(name)
    let values = ValueText(style: style)
    let left = max(20, columns - TerminalText.width(of: path) - 4)
    let head = style.paint(path, .key) + "  "
    switch (change.before, change.after) {
    case (let before?, let after?):
      // The two values share the width: one gets the space that the other doesn't need.
      let room = max(8, (left - 1) / 2)
      let old = ValueText(style: .plain).line(before, columns: room)
      let rest = max(room, left - TerminalText.width(of: old) - 1)
      return head + style.paint(old, .dim) + " → " + values.line(after, columns: rest)
    case (nil, let after?):
      return head + style.paint("+", .good) + " " + values.line(after, columns: left)
    case (let before?, nil):
      return head + style.paint("−", .warning) + " " + values.line(before, columns: left)
    case (nil, nil): return head
    }
  }
}
