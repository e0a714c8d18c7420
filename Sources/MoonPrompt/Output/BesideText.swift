import MoonTerminal
import Moonwire

/// What is beside the screen on top, on one line: `▸Home  Orders`.
///
/// These are the columns of a split view that isn't collapsed, or else tabs. `▸` marks the selected
/// one. A tab has the title of its first screen, a column that of its last; without one, it has its
/// id or the name of the column.
struct BesideText {
  /// A tab or a column.
  struct Item {
    let id: Text
    let title: Text
    let isSelected: Bool
  }

  /// What the items are; nil if there are none, or if the screen is presented over them.
  let container: Container?
  let items: [Item]

  /// The kinds of containers that show something beside the top, as their records are called.
  enum Container: Text {
    case tabs, columns
  }

  init(_ snapshot: ScreenSnapshot) {
    let tree = snapshot.tree
    guard let window = tree.keyWindowID,
      tree.topScreen(ofWindow: window)?.id == snapshot.shown.screen.id,
      let node = tree.containersOnTop(ofWindow: window).last(where: Self.hasSides)
    else {
      (container, items) = (nil, [])
      return
    }
    container = if case .split = node.content { .columns } else { .tabs }
    let isSplit = container == .columns
    items = node.items.enumerated().map { index, item in
      let screen = isSplit ? item.screen ?? item.items.last?.screen : item.firstScreen
      let title = screen.flatMap { $0.title.isEmpty ? nil : $0.title }
      let name = isSplit ? Text(SplitColumn.allCases[index].rawValue) : item.id
      return Item(id: item.id, title: title ?? name, isSelected: index == node.shownIndex)
    }
  }

  private static func hasSides(_ node: NavigationNode) -> Bool {
    switch node.content {
    case .tabs: true
    case .split(_, _, _, _, let isCollapsed): !isCollapsed
    case .screen, .stack: false
    }
  }

  /// Returns the line, cut to a number of columns of the terminal; nil if there are no items.
  func line(_ style: Style, columns: Int) -> String? {
    guard !items.isEmpty else { return nil }
    var pieces: [String] = []
    var left = columns
    for item in items {
      let safe = TerminalText.singleLine(item.title.string)
      let text = TerminalText.clipped((item.isSelected ? "▸" : "") + safe, to: left)
      left -= TerminalText.width(of: text) + 2
      pieces.append(style.paint(text, item.isSelected ? .emphasis : .dim))
      guard left > 2 else { break }
    }
    return pieces.joined(separator: "  ")
  }

  /// The items for programs, by the kind of the container; empty if there are none.
  var record: Map {
    guard let container, !items.isEmpty else { return Map() }
    return [
      .string(container.rawValue): .list(
        List(
          items.map {
            ["id": .string($0.id), "title": .string($0.title), "selected": .bool($0.isSelected)]
          }))
    ]
  }
}
