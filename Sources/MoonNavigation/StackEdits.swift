package import MoonValues

// Pushing, popping, presenting and dismissing.
extension TreeEdit {
  mutating func setNavigation(_ screens: [Screen]) throws(NavigationError) {
    let stack = try topStack()
    var known: [Text: NavigationNode] = [:]
    for item in stack.node.items { known[item.id] = item }
    let items = screens.map { NavigationNode($0, presented: known[$0.id]?.presented) }
    setItems(of: stack, NavigationItems(items))
  }

  mutating func pop(_ count: Int) throws(NavigationError) {
    guard count > 0 else { throw .invalidCount(count) }
    let stack = try topStack()
    var items = stack.node.items
    guard items.count > 1 else { throw .nothingToPop(stack: stack.node.id) }
    items.removeLast(min(count, items.count - 1))
    setItems(of: stack, items)
  }

  mutating func push(_ screen: Screen, on stack: TopPath.Stop) {
    var items = stack.node.items
    items.append(NavigationNode(screen))
    setItems(of: stack, items)
  }

  private mutating func pop(from stack: TopPath.Stop) {
    var items = stack.node.items
    items.removeLast()
    setItems(of: stack, items)
  }

  mutating func popTo(_ id: Text) throws(NavigationError) {
    let stack = try topStack()
    guard let index = stack.node.items.firstIndex(where: { $0.id == id }) else {
      guard tree.node(id) == nil else { throw .notInStack(id, stack: stack.node.id) }
      throw .unknownID(id)
    }
    var items = stack.node.items
    items.removeSubrange((index + 1)...)
    setItems(of: stack, items)
  }

  mutating func makeRoot(_ screen: Screen) throws(NavigationError) {
    let window = try windowIndex()
    guard tree.windows[window].root != nil else {
      tree.windows[window].root = NavigationNode(screen)
      return
    }
    setItems(of: try topStack(), [NavigationNode(screen)])
  }

  mutating func show(_ screen: Screen) throws(NavigationError) {
    let window = try windowIndex()
    guard let path = TopPath(tree: tree, window: window) else {
      tree.windows[window].root = NavigationNode(screen)
      return
    }
    if let stack = path.topStack {
      push(screen, on: stack)
    } else {
      tree.update(at: path.topPlace) { $0.presented = NavigationNode(screen) }
    }
  }

  // MARK: Presenting

  mutating func present(_ node: NavigationNode, on id: Text?) throws(NavigationError) {
    let place = if let id { try place(of: id) } else { try topPath().topPlace }
    try tree.update(at: place) { presenter throws(NavigationError) in
      guard presenter.presented == nil else { throw .alreadyPresenting(presenter.id) }
      presenter.presented = node
    }
  }

  mutating func dismiss(_ count: Int) throws(NavigationError) {
    guard count > 0 else { throw .invalidCount(count) }
    let path = try topPath()
    let presenters = path.presenters
    guard !presenters.isEmpty else {
      throw .nothingToDismiss(window: tree.windows[path.topPlace.window].id)
    }
    cutPresented(at: presenters[max(0, presenters.count - min(count, presenters.count))])
  }

  mutating func dismissTo(_ id: Text) throws(NavigationError) {
    let target = try place(of: id)
    guard let path = TopPath(tree: tree, window: target.window) else {
      throw .unknownID(id)
    }
    // The layer of a place: the steps to the node that presents it and all that is shown with it.
    let layer = target.layer
    guard path.stops.contains(where: { $0.place.layer == layer }) else {
      throw .notBelow(id, window: tree.windows[target.window].id)
    }
    if let presenter = path.presenters.first(where: { $0.layer == layer }) {
      cutPresented(at: presenter)
    }
  }

  // MARK: Going back

  mutating func back() throws(NavigationError) {
    let path = try topPath()
    if let stack = path.topStack, stack.node.items.count > 1 {
      pop(from: stack)
    } else if let split = path.splitOnDetail {
      setItems(of: split, split.node.items, selectedIndex: SplitColumn.master.index)
    } else if let presenter = path.presenters.last {
      cutPresented(at: presenter)
    } else {
      throw .nothingBelow(window: tree.windows[path.topPlace.window].id)
    }
  }

  mutating func backTo(_ target: NavigationAction.BackTarget) throws(NavigationError) {
    switch target {
    case .id(let id):
      let place = try place(of: id)
      guard tree.node(at: place)?.screen != nil else { throw .notAScreen(id) }
      guard backPath(inWindow: place.window).contains(place) else {
        throw .notBelow(id, window: tree.windows[place.window].id)
      }
      uncover(place)
    case .url(let url):
      let window = try topPath().topPlace.window
      let places = backPath(inWindow: window)
      guard let place = places.first(where: { tree.node(at: $0)?.screen?.url == url }) else {
        throw .noURLBelow(url, window: tree.windows[window].id)
      }
      uncover(place)
    case .screen(let screen): try back(onto: screen)
    }
  }

  private func backPath(inWindow window: Int) -> [NavigationPlace] {
    tree.windows[window].root?.backPath(from: NavigationPlace(window: window)) ?? []
  }

  /// Removes everything above a screen.
  private mutating func uncover(_ place: NavigationPlace) {
    tree.update(at: place) { $0.presented = nil }
    var place = place
    while let step = place.steps.popLast() {
      guard case .item(let index) = step, let container = tree.node(at: place) else { continue }
      if container.isStack {
        var items = container.items
        items.removeSubrange((index + 1)...)
        tree.update(at: place) { $0.setItems(items) }
      } else if container.isSplit {
        tree.update(at: place) { $0.setItems(container.items, selectedIndex: index) }
      }
      tree.update(at: place) { $0.presented = nil }
    }
  }

  private mutating func back(onto screen: Screen) throws(NavigationError) {
    let window = try windowIndex()
    guard let path = TopPath(tree: tree, window: window) else {
      tree.windows[window].root = NavigationNode(screen)
      return
    }
    if let stack = path.topStack, stack.node.items.count > 1 {
      var items = stack.node.items
      items.removeLast(2)
      items.append(NavigationNode(screen))
      setItems(of: stack, items)
      return
    }
    if let split = path.splitOnDetail {
      setItems(of: split, split.node.items, selectedIndex: SplitColumn.master.index)
    } else if let presenter = path.presenters.last {
      cutPresented(at: presenter)
    }
    guard let below = TopPath(tree: tree, window: window) else { return }
    if below.top.isStack {
      tree.update(at: below.topPlace) { $0.setItems([NavigationNode(screen)]) }
    } else if below.top.screen != nil {
      tree.update(at: below.topPlace) { $0.content = .screen(screen) }
    } else {
      throw .noStack(window: tree.windows[window].id, top: below.top.id)
    }
  }
}

extension NavigationTree {
  /// The nearest screen with a URL on the way back from the top of a window, the top included; nil
  /// if there is none.
  package func screenOnWayBack(with url: Text, inWindow id: Text) -> Screen? {
    guard let index = windows.firstIndex(where: { $0.id == id }) else { return nil }
    let places = windows[index].root?.backPath(from: NavigationPlace(window: index)) ?? []
    return places.lazy.compactMap { node(at: $0)?.screen }.first { $0.url == url }
  }
}

extension NavigationPlace {
  /// The place of what was presented to show this, which all that is shown with it has in common.
  var layer: NavigationPlace {
    let start = steps.lastIndex(of: .presented).map { $0 + 1 } ?? 0
    return NavigationPlace(window: window, steps: Array(steps[..<start]))
  }
}

extension NavigationNode {
  /// The places of the screens on the way back, the nearest first.
  fileprivate func backPath(from place: NavigationPlace) -> [NavigationPlace] {
    let covering = presented?.backPath(from: place.appending(.presented)) ?? []
    switch content {
    case .screen: return covering + [place]
    case .stack(_, let items):
      return items.indices.reversed().reduce(into: covering) { places, index in
        places += items[index].backPath(from: place.appending(.item(index)))
      }
    case .tabs(_, let items, let index):
      guard items.indices.contains(index) else { return covering }
      return covering + items[index].backPath(from: place.appending(.item(index)))
    case .split(_, _, _, let selected, _):
      let columns = selected == .detail ? [selected, .master] : [selected]
      return columns.reduce(into: covering) { places, column in
        places += items[column.index].backPath(from: place.appending(.item(column.index)))
      }
    }
  }
}
