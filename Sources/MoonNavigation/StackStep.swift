import MoonValues

/// A step on the stack on top of a window: a screen is put on it, or its last one is taken off.
///
/// By far the most actions are such steps. All that one changes is known beforehand, so no trees
/// are compared, which takes a third of the instructions. The result is the same.
struct StackStep {
  private let old: NavigationTree
  // What the action says besides, since a copy of it is a copy of all it holds.
  private let windowID: Text?
  private let motion: NavigationAction.Motion
  private let origin: NavigationOrigin

  /// Takes a tree and an action that is applied to it.
  private init(_ action: NavigationAction, in tree: NavigationTree) {
    old = tree
    windowID = action.windowID ?? tree.keyWindowID
    (motion, origin) = (action.motion, action.origin)
  }

  /// Applies an action to a tree; nil if it isn't a step, or may be impossible.
  ///
  /// - Complexity: O(windows + log screens).
  static func transition(
    from tree: NavigationTree, by action: NavigationAction
  ) -> Transition? {
    let step = StackStep(action, in: tree)
    switch action.operation {
    case .push(let screen), .show(let screen): return step.forward(to: screen)
    case .back, .pop(count: 1): return step.goBack()
    default: return nil
    }
  }

  // MARK: Forward

  private func forward(to screen: Screen) -> Transition? {
    guard let id = windowID, let place = stackOnTop(ofWindow: id) else { return nil }
    let node = NavigationNode(screen)
    var items = place.stack.items
    items.append(node)
    var ids = old.ids
    guard ids.insert(screen.id) else { return nil }
    var loaded = old.loaded
    loaded.insert(screen.id)
    let parts = StepParts(
      windowID: id, stackID: place.stack.id, lower: place.top, upper: node, from: old)
    // Consumed, so that the maps aren't counted twice.
    let tree = NavigationTree(
      windows: windows(with: items, at: place), keyWindowID: old.keyWindowID,
      loaded: consume loaded, ids: consume ids, step: parts.former == nil ? nil : parts)
    guard tree.isWithinLimits else { return nil }
    return Transition(to: tree, report(parts, isForward: true, wasLoaded: false))
  }

  // MARK: Back

  private func goBack() -> Transition? {
    if let step = old.step, let former = step.former, step.windowID == windowID {
      return Transition(to: former, report(step, isForward: false, wasLoaded: true))
    }
    return goBackAnew()
  }

  /// Goes back to a tree that isn't kept.
  @inline(never)
  private func goBackAnew() -> Transition? {
    guard let id = windowID, let place = stackOnTop(ofWindow: id) else { return nil }
    var items = place.stack.items
    items.removeLast()
    guard let lower = items.last, lower.isBareScreen else { return nil }
    var (ids, loaded) = (old.ids, old.loaded)
    ids.remove(place.top.id)
    let wasLoaded = loaded.contains(lower.id)
    loaded.remove(place.top.id)
    if !wasLoaded { loaded.insert(lower.id) }
    let parts = StepParts(
      windowID: id, stackID: place.stack.id, lower: lower, upper: place.top, from: nil)
    let tree = NavigationTree(
      windows: windows(with: items, at: place), keyWindowID: old.keyWindowID, loaded: loaded,
      ids: ids)
    return Transition(to: tree, report(parts, isForward: false, wasLoaded: wasLoaded))
  }

  // MARK: Both

  /// The place of a stack on top.
  private struct Place {
    let window: Int
    let root: NavigationNode
    let stack: NavigationNode
    /// The last item of the stack.
    let top: NavigationNode
  }

  /// Returns the place of the stack on top of a window; nil if none is on top with a screen.
  private func stackOnTop(ofWindow id: Text) -> Place? {
    guard let index = old.windows.firstIndex(where: { $0.id == id }),
      let root = old.windows[index].root, let stack = root.stackOnTop,
      let top = stack.items.last, top.isBareScreen
    else { return nil }
    return Place(window: index, root: root, stack: stack, top: top)
  }

  /// Returns the windows with other items of the stack at a place.
  private func windows(with items: NavigationItems, at place: Place) -> [NavigationWindow] {
    let root = place.root.withStackOnTop(holding: items)
    // Mostly there is no other, and the list isn't copied.
    if old.windows.count == 1 { return [NavigationWindow(id: old.windows[0].id, root: root)] }
    var windows = old.windows
    windows[place.window].root = root
    return windows
  }

  private func report(_ parts: StepParts, isForward: Bool, wasLoaded: Bool) -> StepReport {
    StepReport(
      parts: parts, isForward: isForward, wasLoaded: wasLoaded, motion: motion, origin: origin)
  }
}

extension NavigationTree {
  /// Whether the number of nodes and the size of all screens together are within the limits.
  fileprivate var isWithinLimits: Bool {
    let count = windows.reduce(0) { $0 + ($1.root?.count ?? 0) }
    return count <= Self.nodeCountMax && storageCost <= Self.storageCostMax
  }
}

extension NavigationNode {
  /// Whether it is a screen that presents nothing.
  fileprivate var isBareScreen: Bool { isScreen && presented == nil }

  /// The stack on top, which presents nothing; nil if no stack is on top.
  fileprivate var stackOnTop: NavigationNode? {
    if let presented { return presented.stackOnTop }
    if isStack { return self }
    return isTabs ? shownIndex.flatMap { items[$0].stackOnTop } : nil
  }

  /// Returns the node with other items in the stack on top.
  fileprivate func withStackOnTop(holding items: NavigationItems) -> NavigationNode {
    if isStack, presented == nil { return NavigationNode(stack: id, items) }
    return withStackInside(holding: items)
  }

  @inline(never)
  private func withStackInside(holding items: NavigationItems) -> NavigationNode {
    if let presented {
      return NavigationNode(content, presented: presented.withStackOnTop(holding: items))
    }
    guard let index = shownIndex else { return self }
    var (node, tabs) = (self, self.items)
    tabs[index] = tabs[index].withStackOnTop(holding: items)
    node.setItems(tabs, selectedIndex: index)
    return node
  }
}
