import MoonValues

extension NavigationTree {
  /// The number of screens of a stack that are drawn, counted from the top.
  package static let drawnStackCountMax = 12
  /// The maximum number of characters of a name.
  package static let drawnNameLengthMax = 40

  /// The tree in lines for a terminal.
  ///
  /// ```
  /// window main
  /// └─ tabs ▸1
  ///    ├─ stack shop  list › detail*
  ///    │  └─ detail presents login
  ///    └─ settings
  /// ```
  ///
  /// `▸` is the selected tab, counted from 1, or the selected column of a split view; `*`
  /// stands after what is on top of its window, `?` after placeholders, `(key)` after the key
  /// window if there are several. A screen is named by its kind, with `#` and its id if
  /// that is different; by its id alone if that is its kind with a number. Stacks have their ids
  /// where they are tabs, columns or empty. Control characters are replaced, so the lines are safe
  /// to print.
  package var drawing: [String] {
    var drawing = TreeDrawing()
    for (index, window) in windows.enumerated() {
      let mark = windows.count > 1 && window.id == keyWindowID ? " (key)" : ""
      guard let root = window.root else {
        drawing.lines.append("window \(TreeDrawing.name(window.id))\(mark)  hidden")
        continue
      }
      drawing.lines.append("window \(TreeDrawing.name(window.id))\(mark)")
      drawing.topID = TopPath(tree: self, window: index)?.top.id
      drawing.draw(root, "", indent: "", .last)
    }
    return drawing.lines
  }
}

private struct TreeDrawing {
  enum Position {
    case last
    case before
  }

  var lines: [String] = []
  var topID: Text?

  /// Draws a node after a branch, then its descendants.
  mutating func draw(
    _ node: NavigationNode, _ prefix: String, indent: String, _ position: Position,
    isSide: Bool = false
  ) {
    lines.append(
      indent + (position == .last ? "└─ " : "├─ ") + prefix + label(node, isSide: isSide))
    let indent = indent + (position == .last ? "   " : "│  ")
    var branches: [(prefix: String, node: NavigationNode)] = []
    if node.isTabs || node.isSplit { branches += node.items.map { ("", $0) } }
    let sideCount = branches.count
    for presenter in node.isStack ? node.items + [node] : [node] {
      guard let presented = presenter.presented else { continue }
      let name = presenter.screen.map(TreeDrawing.name) ?? TreeDrawing.name(presenter.id)
      branches.append(("\(name) presents ", presented))
    }
    for (index, branch) in branches.enumerated() {
      let position: Position = index == branches.count - 1 ? .last : .before
      draw(branch.node, branch.prefix, indent: indent, position, isSide: index < sideCount)
    }
  }

  /// Returns the line of a node, which may be side by side with others.
  private func label(_ node: NavigationNode, isSide: Bool) -> String {
    switch node.content {
    case .screen(let screen): return label(screen)
    case .stack(let id, let items):
      let word = items.isEmpty || isSide ? Self.name(of: "stack", id) : "stack"
      if items.isEmpty { return "\(word)  empty" + mark(id) }
      let shown = items.suffix(NavigationTree.drawnStackCountMax).compactMap(\.screen)
      let hidden = items.count - shown.count
      let names = (hidden > 0 ? ["… (\(hidden) more)"] : []) + shown.map(label)
      return "\(word)  " + names.joined(separator: " › ")
    case .tabs(let id, let items, let selectedIndex):
      if items.isEmpty { return Self.name(of: "tabs", id) + "  empty" + mark(id) }
      return "tabs ▸\(selectedIndex + 1)"
    case .split(let id, _, _, let selected, let isCollapsed):
      return Self.name(of: "split", id) + " ▸\(selected)" + (isCollapsed ? "  collapsed" : "")
    }
  }

  private func label(_ screen: Screen) -> String {
    TreeDrawing.name(screen) + (screen.isPlaceholder ? "?" : "") + mark(screen.id)
  }

  private func mark(_ id: Text) -> String { id == topID ? "*" : "" }

  static func name(_ screen: Screen) -> String {
    if screen.kind.isEmpty || screen.id.isNumbered(screen.kind) { return name(screen.id) }
    return "\(name(screen.kind))#\(name(screen.id))"
  }

  /// `stack` and an id, or the id alone if it is the word with a number.
  private static func name(of word: Text, _ id: Text) -> String {
    id.isNumbered(word) ? name(id) : "\(word) \(name(id))"
  }

  /// A shortened name without characters that move a terminal's cursor.
  static func name(_ text: Text) -> String {
    var name = String.UnicodeScalarView()
    for scalar in text.string.unicodeScalars {
      guard name.count < NavigationTree.drawnNameLengthMax else {
        name.append("…")
        break
      }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: name.append("\u{FFFD}")
      default: name.append(scalar)
      }
    }
    return String(name)
  }
}

extension Text {
  /// Whether the text is a word, or the word with a number, as in `detail-2`.
  fileprivate func isNumbered(_ word: Text) -> Bool {
    guard self != word else { return true }
    let (own, start) = (string, "\(word)-")
    return own.hasPrefix(start) && own.count > start.count
      && own.dropFirst(start.count).allSatisfy { ("0"..."9").contains($0) }
  }
}
