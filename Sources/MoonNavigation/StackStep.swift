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
    guard
      let (windows, parts) = changed(
        isForward: true,
        by: { items in
          let node = NavigationNode(screen)
          items.append(node)
          return node
        })
    else { return nil }
    var ids = old.ids
    guard ids.insert(screen.id) else { return nil }
    var loaded = old.loaded
    loaded.insert(screen.id)
    // Consumed, so that the maps aren't counted twice.
    let tree = NavigationTree(
      windows: windows, keyWindowID: old.keyWindowID, loaded: consume loaded, ids: consume ids,
      step: parts.former == nil ? nil : parts)
    guard tree.isWithinLimits else { return nil }
    return Transition(to: tree, report(parts, isForward: true, wasLoaded: false))
  }

  // MARK: Back

  private func goBack() -> Transition? {
    if let step = old.step, let former = step.former, step.windowID == windowID {
      return Transition(to: former, report(step, isForward: false, wasLoaded: true))
    }
    guard
      let (windows, parts) = changed(
        isForward: false,
        by: { items in
          items.removeLast()
          return items.last
        })
    else { return nil }
    var (ids, loaded) = (old.ids, old.loaded)
    ids.remove(parts.upper.id)
    let wasLoaded = loaded.contains(parts.lower.id)
    loaded.remove(parts.upper.id)
    if !wasLoaded { loaded.insert(parts.lower.id) }
    let tree = NavigationTree(
      windows: windows, keyWindowID: old.keyWindowID, loaded: loaded, ids: ids)
    return Transition(to: tree, report(parts, isForward: false, wasLoaded: wasLoaded))
  }

  // MARK: Both

  /// Returns the windows with other items of the stack on top, and what differs; nil if no stack is
  /// on top with a screen, or if `change` leaves none.
  ///
  /// `change` returns the last item.
  private func changed(
    isForward: Bool, by change: (inout NavigationItems) -> NavigationNode?
  ) -> (windows: [NavigationWindow], parts: StepParts)? {
    guard let id = windowID, let index = old.windows.firstIndex(where: { $0.id == id })
    else { return nil }
    var parts: StepParts?
    let root = old.windows[index].root?.changingStackOnTop { stack in
      var items = stack.items
      guard let top = items.last, top.isBareScreen, let item = change(&items), item.isBareScreen
      else { return nil }
      parts = StepParts(
        windowID: id, stackID: stack.id, lower: isForward ? top : item,
        upper: isForward ? item : top, from: isForward ? old : nil)
      return items
    }
    guard let root, let parts else { return nil }
    var windows = old.windows
    windows[index].root = root
    return (windows, parts)
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

  /// Returns the node with other items in the stack on top; nil if no stack is on top, or if
  /// `change` returns nil.
  ///
  /// The stack presents nothing.
  fileprivate func changingStackOnTop(
    _ change: (NavigationNode) -> NavigationItems?
  ) -> NavigationNode? {
    if let presented {
      return presented.changingStackOnTop(change).map { NavigationNode(content, presented: $0) }
    }
    var node = self
    if isStack {
      guard let items = change(self) else { return nil }
      node.setItems(items)
    } else {
      guard isTabs, let index = shownIndex, let item = items[index].changingStackOnTop(change)
      else { return nil }
      var items = items
      items[index] = item
      node.setItems(items, selectedIndex: index)
    }
    return node
  }
}
