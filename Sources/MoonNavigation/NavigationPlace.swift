import MoonValues

/// The path to a node: a window, then steps down from its root.
struct NavigationPlace: Hashable {
  /// One step down.
  enum Step: Hashable {
    /// To the presented node.
    case presented
    /// To an item of a container.
    case item(Int)
  }

  var window: Int
  var steps: [Step] = []

  func appending(_ step: Step) -> NavigationPlace {
    NavigationPlace(window: window, steps: steps + [step])
  }
}

extension NavigationNode {
  func node(at steps: ArraySlice<NavigationPlace.Step>) -> NavigationNode? {
    switch steps.first {
    case nil: self
    case .presented: presented?.node(at: steps.dropFirst())
    case .item(let index):
      items.indices.contains(index) ? items[index].node(at: steps.dropFirst()) : nil
    }
  }

  /// Changes the node at the end of the steps, which must exist.
  mutating func update<E>(
    at steps: ArraySlice<NavigationPlace.Step>, _ body: (inout NavigationNode) throws(E) -> Void
  ) throws(E) {
    switch steps.first {
    case nil: try body(&self)
    case .presented:
      guard var next = presented else { preconditionFailure("steps lead to a node") }
      try next.update(at: steps.dropFirst(), body)
      presented = next
    case .item(let index):
      var items = items
      try items[index].update(at: steps.dropFirst(), body)
      setItems(items, selectedIndex: shownIndex ?? 0)
    }
  }

  /// The steps down to the node with that id, the last one first; nil if there is none.
  ///
  /// Looks at the top first, where most searches end.
  fileprivate func stepsUp(from id: Text) -> [NavigationPlace.Step]? {
    if self.id == id { return [] }
    if let steps = presented?.stepsUp(from: id) { return steps + [.presented] }
    for index in items.indices.reversed() {
      if let steps = items[index].stepsUp(from: id) { return steps + [.item(index)] }
    }
    return nil
  }
}

extension NavigationNode {
  /// Returns the node with an id in this one; nil if there is none.
  ///
  /// Looks at the top first, where most searches end.
  fileprivate func node(_ id: Text) -> NavigationNode? {
    if self.id == id { return self }
    if let node = presented?.node(id) { return node }
    for index in items.indices.reversed() {
      if let node = items[index].node(id) { return node }
    }
    return nil
  }
}

extension NavigationTree {
  /// Returns the node with an id, and the id of its window; nil if there is none.
  func nodeAndWindow(_ id: Text) -> (node: NavigationNode, windowID: Text)? {
    for window in windows {
      if let node = window.root?.node(id) { return (node, window.id) }
    }
    return nil
  }

  func place(of id: Text) -> NavigationPlace? {
    for (index, window) in windows.enumerated() {
      guard let steps = window.root?.stepsUp(from: id) else { continue }
      return NavigationPlace(window: index, steps: steps.reversed())
    }
    return nil
  }

  func node(at place: NavigationPlace) -> NavigationNode? {
    windows[place.window].root?.node(at: place.steps[...])
  }

  mutating func update<E>(
    at place: NavigationPlace, _ body: (inout NavigationNode) throws(E) -> Void
  ) throws(E) {
    guard var root = windows[place.window].root else { preconditionFailure("a place has a root") }
    try root.update(at: place.steps[...], body)
    windows[place.window].root = root
  }

  /// The path of a node's value in the tree's value.
  func path(to place: NavigationPlace) -> Path {
    var path: [Path.Component] = [
      .key("windows"), .index(Int64(place.window) + 1), .key("root"),
    ]
    var node = windows[place.window].root
    for step in place.steps {
      switch step {
      case .presented:
        path.append(.key("presented"))
        node = node?.presented
      case .item(let index):
        path += node?.pathOfItem(index) ?? []
        node = node?.items[index]
      }
    }
    return Path(path)
  }
}

extension NavigationNode {
  /// The path of an item in the container's value.
  fileprivate func pathOfItem(_ index: Int) -> [Path.Component] {
    if isSplit { return [.key(SplitColumn(at: index).text)] }
    return [.key(isStack ? "stack" : "tabs"), .index(Int64(index) + 1)]
  }
}

/// The nodes that a window shows, from its root down to the top.
struct TopPath {
  /// One node on the way.
  struct Stop {
    let node: NavigationNode
    let place: NavigationPlace
    /// The step that led here, nil for the root.
    let step: NavigationPlace.Step?
  }

  let stops: [Stop]
  let top: NavigationNode

  /// Descends to the top of a window; nil if the window has no root.
  init?(tree: NavigationTree, window: Int) {
    guard let root = tree.windows[window].root else { return nil }
    var stop = Stop(node: root, place: NavigationPlace(window: window), step: nil)
    var stops = [stop]
    while let (step, node) = TopPath.next(after: stop.node) {
      stop = Stop(node: node, place: stop.place.appending(step), step: step)
      stops.append(stop)
    }
    self.stops = stops
    top = stop.node
  }

  var topPlace: NavigationPlace { stops[stops.count - 1].place }

  /// The places of the nodes on the way that present what follows, the outermost first.
  var presenters: [NavigationPlace] {
    stops.indices.dropLast().filter { stops[$0 + 1].step == .presented }.map { stops[$0].place }
  }

  /// The nodes on the way since something was last presented.
  var topLayer: ArraySlice<Stop> {
    stops[(stops.lastIndex { $0.step == .presented } ?? 0)...]
  }

  /// The stack that contains the top, or is the top.
  var topStack: Stop? { topLayer.last { $0.node.isStack } }

  /// The tabs that contain the top, or are the top.
  var topTabs: Stop? { topLayer.last { $0.node.isTabs } }

  /// The split view that contains the top.
  var topSplit: Stop? { topLayer.last { $0.node.isSplit } }

  /// The split view that contains the top in its detail column.
  var splitOnDetail: Stop? {
    topSplit.flatMap { $0.node.shownIndex == SplitColumn.detail.index ? $0 : nil }
  }

  fileprivate static func next(
    after node: NavigationNode
  ) -> (NavigationPlace.Step, NavigationNode)? {
    if let presented = node.presented { return (.presented, presented) }
    guard let index = node.shownIndex else { return nil }
    return (.item(index), node.items[index])
  }
}

extension NavigationNode {
  /// The node on top of this one, which is shown in its place.
  package var top: NavigationNode {
    var node = self
    while let (_, next) = TopPath.next(after: node) { node = next }
    return node
  }
}

extension NavigationNode {
  /// The screens that are shown in the place of this node: the one on top, and the one that a split
  /// view shows beside it.
  var shownScreens: [Screen] {
    var (node, beside) = (self, Screen?.none)
    while let (step, next) = TopPath.next(after: node) {
      beside = step == .presented ? nil : node.isSplit ? node.screenBeside : beside
      node = next
    }
    return [node.screen, beside].compactMap(\.self)
  }

  /// The screen that a split view shows in the column that isn't selected.
  ///
  /// What that column presents would cover both, so it isn't shown until the column is selected.
  private var screenBeside: Screen? {
    guard !isCollapsed, let selected = shownIndex else { return nil }
    let column = items[1 - selected]
    return column.screen ?? column.items.last?.screen
  }
}
