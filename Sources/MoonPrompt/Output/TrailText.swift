import MoonTerminal
import Moonwire

/// The trail of screens in a window, on one line: `list › detail*`.
///
/// It leads to the screen on top of a window, by default the key window, through containers and
/// presented screens. `▸2` is the second tab, counted from 1, `▸detail` a column of a split
/// view. Screens are named by their kinds; `*` marks the one on top, and `?` a placeholder.
struct TrailText {
  let tree: NavigationTree
  /// The window; nil for the key window.
  var windowID: Text?

  /// The maximum number of screens shown for a stack, those nearest its top.
  private static let stackCountMax = 6
  private static let nameWidthMax = 40

  /// Returns the trail without colours, cut at its beginning if it is too long.
  func text(columns: Int) -> String {
    guard let id = windowID ?? tree.keyWindowID,
      let window = tree.windows.first(where: { $0.id == id })
    else {
      return "no window"
    }
    let head = tree.windows.count > 1 ? "\(name(id)): " : ""
    guard let root = window.root else { return head + "hidden" }
    return clipped(head + text(root, top: tree.topNode(ofWindow: id)?.id), to: columns)
  }

  private func text(_ node: NavigationNode, top: Text?) -> String {
    var text: String
    switch node.content {
    case .screen: text = label(node)
    case .stack(_, let items):
      let below = items.dropLast().suffix(Self.stackCountMax - 1)
      let left = items.count - 1 - below.count
      var names = (left > 0 ? ["…"] : []) + below.map(label)
      if items.isEmpty, let presented = node.presented { return self.text(presented, top: top) }
      // Screens presented over the stack follow it, as do those presented by its top.
      if let last = items.last {
        names.append(node.presented == nil ? self.text(last, top: top) : label(last))
      } else {
        names.append("empty")
      }
      text = names.joined(separator: " › ")
    case .tabs(_, let items, let index):
      text = items.isEmpty ? "no tabs" : "▸\(index + 1) " + self.text(items[index], top: top)
    case .split(_, let master, let detail, let selected, _):
      text = "▸\(selected) " + self.text(selected == .master ? master : detail, top: top)
    }
    if node.screen != nil, node.id == top { text += "*" }
    if let presented = node.presented { text += " presents " + self.text(presented, top: top) }
    return text
  }

  private func label(_ node: NavigationNode) -> String {
    guard let screen = node.screen else { return name(node.id) }
    return name(screen.kind.isEmpty ? screen.id : screen.kind) + (screen.isPlaceholder ? "?" : "")
  }

  private func name(_ text: Text) -> String {
    let safe = TerminalText.singleLine(text.string)
    return TerminalText.clipped(safe, to: Self.nameWidthMax)
  }

  private func clipped(_ text: String, to columns: Int) -> String {
    guard TerminalText.width(of: text) > columns else { return text }
    var width = 0
    let end = text.reversed().prefix { character in
      width += TerminalText.width(of: String(character))
      return width < max(1, columns)
    }
    return "…" + String(end.reversed())
  }
}
