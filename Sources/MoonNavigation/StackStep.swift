import MoonValues

/// A step on the stack on top of a window: a screen is put on it, or its last one is taken off.
///
/// Most actions by far are such steps. What a step changes is known in advance, so no trees are
/// compared. The result is the same.
struct StackStep {
  private let old: NavigationTree
  // What the action says besides, since a copy of it is a copy of all it holds.
  private let windowID: Text?
  private let motion: NavigationAction.Motion
  private let origin: NavigationOrigin

  /// Takes a tree, and what an action that is applied to it says.
  init(
    in tree: NavigationTree, window: Text? = nil, _ motion: NavigationAction.Motion,
    _ origin: NavigationOrigin
  ) {
    old = tree
    windowID = window ?? tree.keyWindowID
    (self.motion, self.origin) = (motion, origin)
  }

  /// Applies an action to a tree; nil if it isn't a step, or may be impossible.
  ///
  /// - Complexity: O(windows + log screens).
  static func transition(
    from tree: NavigationTree, by action: NavigationAction
  ) -> Transition? {
    let step = StackStep(in: tree, window: action.windowID, action.motion, action.origin)
    switch action.operation {
    case .push(let screen), .show(let screen): return step.forward(to: screen)
    case .back, .pop(count: 1): return step.goBack()
    default: return nil
    }
  }

  // MARK: Forward

  /// Puts a screen on the stack, whose values aren't nested too deep; nil if it may be impossible.
  func forward(to screen: Screen) -> Transition? {
    guard let id = windowID, let place = stackOnTop(ofWindow: id) else { return nil }
    var ids = old.ids
    guard ids.insert(screen.id) else { return nil }
    let node = NavigationNode(screen)
    var items = place.stack.items
    items.append(node)
    var loaded = old.loaded
    loaded.insert(screen.id)
    let parts = StepParts(
      windowID: id, stackID: place.stack.id, lower: place.top, upper: node, from: old)
    // Consumed, so that they aren't counted twice.
    let tree = NavigationTree(
      windows: windows(with: consume items, at: place), keyWindowID: old.keyWindowID,
      loaded: consume loaded, ids: consume ids, step: consume parts)
    guard tree.isWithinLimits else { return nil }
    return Transition(to: tree, report(tree, isForward: true, wasLoaded: false))
  }

  // MARK: Back

  /// Takes the last screen off the stack; nil if that may be impossible.
  func goBack() -> Transition? {
    if let former = old.former, old.stepWindowID == windowID {
      return Transition(to: former, report(old, isForward: false, wasLoaded: true))
    }
    return goBackAnew()
  }

  /// Goes back to a tree that isn't kept.
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
    let upper = NavigationTree(
      windows: old.windows, keyWindowID: old.keyWindowID, loaded: old.loaded, ids: old.ids,
      step: parts)
    let tree = NavigationTree(
      windows: windows(with: items, at: place), keyWindowID: old.keyWindowID, loaded: loaded,
      ids: ids)
    return Transition(to: tree, report(upper, isForward: false, wasLoaded: wasLoaded))
  }

  // MARK: Both

  /// The place of a stack on top.
  private struct Place {
    let window: Int
    let stack: NavigationNode
    /// The last item of the stack.
    let top: NavigationNode
  }

  /// Returns the place of the stack on top of a window; nil if none is on top with a screen.
  private func stackOnTop(ofWindow id: Text) -> Place? {
    guard let index = old.windows.firstIndex(where: { $0.id == id }),
      let stack = old.windows[index].root?.stackOnTop,
      let top = stack.items.last, top.isBareScreen
    else { return nil }
    return Place(window: index, stack: stack, top: top)
  }

  /// Returns the windows with other items of the stack at a place.
  private func windows(
    with items: consuming NavigationItems, at place: borrowing Place
  ) -> [NavigationWindow] {
    // Usually there is no other window, and nothing around the stack.
    if old.windows.count == 1, old.windows[0].root?.isIdentical(to: place.stack) ?? false {
      return [
        NavigationWindow(
          id: old.windows[0].id, root: NavigationNode(stack: place.stack.id, items))
      ]
    }
    var windows = old.windows
    windows[place.window].root = windows[place.window].root?.withStackOnTop(holding: items)
    return windows
  }

  /// Reports the step to a tree that has its parts, or back from it.
  private func report(
    _ upperTree: NavigationTree, isForward: Bool, wasLoaded: Bool
  ) -> StepReport {
    StepReport(
      upperTree, isForward: isForward, wasLoaded: wasLoaded, motion: motion, origin: origin)
  }
}

extension NavigationTree {
  /// Whether the number of nodes and the size of all screens together are within the limits.
  fileprivate var isWithinLimits: Bool {
    var (count, cost) = (0, 0)
    for index in windows.indices {
      guard let root = windows[index].root else { continue }
      count += root.count
      cost += root.storageCost
    }
    return count <= Self.nodeCountMax && cost <= Self.storageCostMax
  }
}

extension NavigationNode {
  /// Whether it is a screen that presents nothing.
  fileprivate var isBareScreen: Bool { isScreen && presented == nil }

  /// The stack on top, which presents nothing; nil if no stack is on top.
  fileprivate var stackOnTop: NavigationNode? {
    if let presented { return presented.stackOnTop }
    if isStack { return self }
    return shownIndex.flatMap { items[$0].stackOnTop }
  }

  /// Returns the node with other items in the stack on top.
  fileprivate func withStackOnTop(holding items: NavigationItems) -> NavigationNode {
    if isStack, presented == nil { return NavigationNode(stack: id, items) }
    if let presented {
      return NavigationNode(content, presented: presented.withStackOnTop(holding: items))
    }
    guard let index = shownIndex else { return self }
    var (node, own) = (self, self.items)
    own[index] = own[index].withStackOnTop(holding: items)
    node.setItems(own, selectedIndex: index)
    return node
  }
}
