package import MoonValues

extension NavigationTree {
  /// Returns the screen on top of what is presented over a window; nil if nothing is.
  package func coveringScreen(ofWindow id: Text) -> Screen? {
    guard let index = windows.firstIndex(where: { $0.id == id }),
      let path = TopPath(tree: self, window: index), !path.presenters.isEmpty
    else { return nil }
    return path.top.screen
  }

  /// Returns the containers that going back in a window would leave, the innermost first.
  package func containersLeftByGoingBack(inWindow id: Text) -> [NavigationNode] {
    windows.firstIndex { $0.id == id }.flatMap { TopPath(tree: self, window: $0) }?
      .containersLeftByGoingBack ?? []
  }

  /// Returns the tab of a window that belongs to a module, and whether it is selected: the one with
  /// the module's name as its id, or else the first that holds a screen of the module.
  ///
  /// - Complexity: O(screens in tabs).
  package func tab(of module: Text, inWindow id: Text) -> (id: Text, isSelected: Bool)? {
    guard var node = windows.first(where: { $0.id == id })?.root else { return nil }
    while !node.isTabs {
      guard let index = node.shownIndex else { return nil }
      node = node.items[index]
    }
    let items = Array(node.items)
    let own =
      items.firstIndex { $0.id == module }
      ?? items.firstIndex { $0.screens.contains { $0.owner?.module == module } }
    return own.map { (items[$0].id, $0 == node.shownIndex) }
  }
}

extension NavigationNode {
  /// The first screen of a tab or column, whose title it has; nil if there is none.
  package var firstScreen: Screen? { screen ?? items.first?.firstScreen }
}

extension TopPath {
  /// The containers that going back would leave, the innermost first.
  fileprivate var containersLeftByGoingBack: [NavigationNode] {
    // What is in a stack that pops, or in the detail of a split view, is left; what is around it
    // stays.
    let staying =
      topLayer.lastIndex { $0.node.isStack }
      .flatMap { stops[$0].node.items.count > 1 ? $0 + 1 : nil }
      ?? splitOnDetail.flatMap { split in topLayer.firstIndex { $0.place == split.place } }
      .map { $0 + 1 }
    return stops[(staying ?? topLayer.startIndex)...].map(\.node).filter { !$0.isScreen }.reversed()
  }
}
