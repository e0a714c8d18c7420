import MoonValues

/// An action being applied to a tree.
struct TreeEdit {
  var tree: NavigationTree
  let action: NavigationAction
  /// A person's selection of the tab that is already selected, which changes nothing.
  private(set) var reselection: NavigationChange?

  init(tree: NavigationTree, action: NavigationAction) {
    self.tree = tree
    self.action = action
  }

  mutating func run() throws(NavigationError) {
    switch action.operation {
    case .start(let id): try start(id)
    case .close(let id): try close(id)
    case .focus(let id): tree.keyWindowID = tree.windows[try windowIndex(id)].id
    case .set(let root): try set(root)
    case .present(let node, let id): try present(node, on: id)
    case .dismiss(let count): try dismiss(count)
    case .dismissTo(let id): try dismissTo(id)
    case .dismissToRoot:
      let path = try topPath()
      if let first = path.presenters.first { cutPresented(at: first) }
    case .setNavigation(let screens): try setNavigation(screens)
    case .push(let screen): push(screen, on: try topStack())
    case .pop(let count): try pop(count)
    case .popTo(let id): try popTo(id)
    case .popToRoot:
      let stack = try topStack()
      setItems(of: stack, NavigationItems(stack.node.items.prefix(1)))
    case .setTabs(let items): try setTabs(items)
    case .insertTab(let node, let position): try insertTab(node, at: position)
    case .removeTab(let id): try removeTab(id)
    case .selectTab(let id):
      let tabs = try topTabs()
      try select(tabIndex(of: id, in: tabs.node), of: tabs)
    case .selectTabAt(let index): try select(index, of: topTabs())
    case .setColumn(let column, let node): try setColumn(column, node)
    case .selectColumn(let column): try selectColumn(column)
    case .showDetail(let screen): try showDetail(screen)
    case .collapse(let id): try collapse(id, true)
    case .expand(let id): try collapse(id, false)
    case .back: try back()
    case .backTo(let target): try backTo(target)
    case .replace(let screen):
      let stack = try topStack()
      var items = stack.node.items
      if !items.isEmpty { items.removeLast() }
      items.append(NavigationNode(screen))
      setItems(of: stack, items)
    case .root(let screen): try makeRoot(screen)
    case .show(let screen): try show(screen)
    case .update(let screen): try update(screen)
    }
  }

  // MARK: Finding

  func windowIndex(_ id: Text) throws(NavigationError) -> Int {
    guard let index = tree.windows.firstIndex(where: { $0.id == id }) else {
      throw .unknownWindow(id)
    }
    return index
  }

  func windowIndex() throws(NavigationError) -> Int {
    guard let id = action.windowID ?? tree.keyWindowID else { throw .noWindow }
    return try windowIndex(id)
  }

  /// Returns the root of the window, which must exist.
  func topPath() throws(NavigationError) -> TopPath {
    let index = try windowIndex()
    guard let path = TopPath(tree: tree, window: index) else {
      throw .emptyWindow(tree.windows[index].id)
    }
    return path
  }

  func topStack() throws(NavigationError) -> TopPath.Stop {
    let path = try topPath()
    guard let stack = path.topStack else {
      let window = tree.windows[path.topPlace.window].id
      if path.topSplit != nil { throw .bareColumn(window: window, top: path.top.id) }
      if path.topTabs != nil { throw .bareTab(window: window, top: path.top.id) }
      throw .noStack(window: window, top: path.top.id)
    }
    return stack
  }

  func topTabs() throws(NavigationError) -> TopPath.Stop {
    let path = try topPath()
    guard let tabs = path.topTabs else {
      let window = tree.windows[path.topPlace.window].id
      if path.stops.contains(where: { $0.node.isTabs }) {
        throw .coveredTabs(window: window, top: path.top.id)
      }
      throw .noTabs(window: window, top: path.top.id)
    }
    return tabs
  }

  func place(of id: Text) throws(NavigationError) -> NavigationPlace {
    guard let place = tree.place(of: id) else { throw .unknownID(id) }
    return place
  }

  // MARK: Changing

  mutating func setItems(
    of stop: TopPath.Stop, _ items: NavigationItems, selectedIndex: Int = 0
  ) {
    tree.update(at: stop.place) { $0.setItems(items, selectedIndex: selectedIndex) }
  }

  mutating func cutPresented(at place: NavigationPlace) {
    tree.update(at: place) { $0.presented = nil }
  }

  // MARK: Windows

  private mutating func start(_ id: Text) throws(NavigationError) {
    guard !tree.windows.contains(where: { $0.id == id }) else {
      throw .duplicateID(id, holder: .window)
    }
    tree.windows.append(NavigationWindow(id: id))
    if tree.windows.count == 1 { tree.keyWindowID = id }
  }

  private mutating func close(_ id: Text) throws(NavigationError) {
    tree.windows.remove(at: try windowIndex(id))
    if tree.keyWindowID == id { tree.keyWindowID = tree.windows.last?.id }
  }

  private mutating func set(_ root: NavigationNode?) throws(NavigationError) {
    let index = try windowIndex()
    tree.windows[index].root = root
    if root != nil { tree.keyWindowID = tree.windows[index].id }
  }

  // MARK: Tabs

  private func tabIndex(of id: Text, in tabs: NavigationNode) throws(NavigationError) -> Int {
    guard let index = tabs.items.firstIndex(where: { $0.id == id }) else {
      throw .notATab(id, known: tabs.items.map(\.id))
    }
    return index
  }

  private mutating func setTabs(_ items: [NavigationNode]) throws(NavigationError) {
    let tabs = try topTabs()
    let index = TabSelection.index(
      in: items, following: Array(tabs.node.items), selectedIndex: tabs.node.shownIndex)
    setItems(of: tabs, NavigationItems(items), selectedIndex: index)
  }

  private mutating func insertTab(
    _ node: NavigationNode, at position: NavigationAction.TabPosition
  ) throws(NavigationError) {
    let tabs = try topTabs()
    var items = tabs.node.items
    let index =
      switch position {
      case .first: 0
      case .index(let index): index
      case .last: items.count
      }
    guard index >= 0, index <= items.count else {
      throw .indexOutOfRange(index, count: items.count, tabs: tabs.node.id)
    }
    items.insert(node, at: index)
    let selected = tabs.node.shownIndex.map { $0 >= index ? $0 + 1 : $0 }
    setItems(of: tabs, items, selectedIndex: selected ?? 0)
  }

  private mutating func removeTab(_ id: Text) throws(NavigationError) {
    let tabs = try topTabs()
    var items = tabs.node.items
    let index = try tabIndex(of: id, in: tabs.node)
    items.remove(at: index)
    let selected = tabs.node.shownIndex ?? 0
    let next = selected > index ? selected - 1 : selected == index ? 0 : selected
    setItems(of: tabs, items, selectedIndex: next)
  }

  private mutating func select(
    _ index: Int, of tabs: TopPath.Stop
  ) throws(NavigationError) {
    let items = tabs.node.items
    guard items.indices.contains(index) else {
      throw .indexOutOfRange(index, count: items.count, tabs: tabs.node.id)
    }
    if index == tabs.node.shownIndex, action.origin == .user {
      reselection = .selectTab(
        items[index].id, in: tabs.node.id,
        selection: TabSelection(previous: index, current: index))
    }
    setItems(of: tabs, items, selectedIndex: index)
  }

  private mutating func update(_ screen: Screen) throws(NavigationError) {
    let place = try place(of: screen.id)
    try tree.update(at: place) { node throws(NavigationError) in
      guard node.screen != nil else { throw .notAScreen(screen.id) }
      node.content = .screen(screen)
    }
  }
}
