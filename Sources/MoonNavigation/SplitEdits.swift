import MoonValues

// Changing split views.
extension TreeEdit {
  private func topSplit() throws(NavigationError) -> TopPath.Stop {
    let path = try topPath()
    if let split = path.topSplit { return split }
    let window = tree.windows[path.topPlace.window].id
    guard path.stops.contains(where: { $0.node.isSplit }) else {
      throw .noSplit(window: window, top: path.top.id)
    }
    throw .coveredSplit(window: window, top: path.top.id)
  }

  mutating func setColumn(
    _ column: SplitColumn, _ node: NavigationNode
  ) throws(NavigationError) {
    let split = try topSplit()
    var items = split.node.items
    items[column.index] = node
    setItems(of: split, items, selectedIndex: split.node.shownIndex ?? 0)
  }

  mutating func selectColumn(_ column: SplitColumn) throws(NavigationError) {
    let split = try topSplit()
    setItems(of: split, split.node.items, selectedIndex: column.index)
  }

  mutating func showDetail(_ screen: Screen) throws(NavigationError) {
    let path = TopPath(tree: tree, window: try windowIndex())
    guard let split = path?.topSplit else { return try show(screen) }
    var items = split.node.items
    if items[SplitColumn.detail.index].isStack {
      items[SplitColumn.detail.index].setItems([NavigationNode(screen)])
    } else {
      items[SplitColumn.detail.index] = NavigationNode(screen)
    }
    setItems(of: split, items, selectedIndex: SplitColumn.detail.index)
  }

  /// Collapses or expands a split view, by default the one nearest the top, which may be covered:
  /// the room changes whatever is shown.
  mutating func collapse(_ id: Text?, _ isCollapsed: Bool) throws(NavigationError) {
    let place: NavigationPlace
    if let id {
      place = try self.place(of: id)
    } else {
      let path = try topPath()
      guard let split = path.stops.last(where: { $0.node.isSplit }) else {
        throw .noSplit(window: tree.windows[path.topPlace.window].id, top: path.top.id)
      }
      place = split.place
    }
    try tree.update(at: place) { node throws(NavigationError) in
      guard node.setCollapsed(isCollapsed) else { throw .notASplit(node.id) }
    }
  }
}
