import MoonTerminal
import Moonwire

/// The tabs beside the screen on top, on one line: `▸Home  Orders`.
///
/// `▸` marks the selected one. A tab has the title of its first screen, or else its id.
struct TabsText {
  /// One tab.
  struct Tab {
    let id: Text
    let title: Text
    let isSelected: Bool
  }

  /// The tabs; empty if the screen isn't in tabs, or is presented over them.
  let tabs: [Tab]

  init(_ snapshot: ScreenSnapshot) {
    let tree = snapshot.tree
    guard let window = tree.keyWindowID,
      tree.topScreen(ofWindow: window)?.id == snapshot.shown.screen.id,
      let node = tree.topTabs(ofWindow: window)
    else {
      tabs = []
      return
    }
    tabs = node.items.enumerated().map { index, item in
      let root = item.screen ?? item.items.first?.screen
      let title = root.flatMap { $0.title.isEmpty ? nil : $0.title }
      return Tab(id: item.id, title: title ?? item.id, isSelected: index == node.shownIndex)
    }
  }

  /// Returns the line, cut to a number of columns; nil if there are no tabs.
  func line(_ style: Style, columns: Int) -> String? {
    guard !tabs.isEmpty else { return nil }
    var pieces: [String] = []
    var left = columns
    for tab in tabs {
      let safe = TerminalText.singleLine(tab.title.string)
      let text = TerminalText.clipped((tab.isSelected ? "▸" : "") + safe, to: left)
      left -= TerminalText.width(of: text) + 2
      pieces.append(style.paint(text, tab.isSelected ? .emphasis : .dim))
      guard left > 2 else { break }
    }
    return pieces.joined(separator: "  ")
  }

  /// The tabs for programs.
  var value: Value {
    .list(
      List(
        tabs.map {
          ["id": .string($0.id), "title": .string($0.title), "selected": .bool($0.isSelected)]
        }))
  }
}
