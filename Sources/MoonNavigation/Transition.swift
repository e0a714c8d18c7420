import MoonValues

/// The result of applying an action to a tree.
public struct Transition: Equatable, Sendable {
  /// The new tree.
  public let tree: NavigationTree
  /// The changes in the order in which they apply to the old tree; empty if nothing changed.
  public let completions: [NavigationCompletion]
  /// The events of screens, in order.
  public let events: [LifecycleEvent]
  /// The screens that are no longer loaded.
  public let unloaded: [Screen]

  /// Compares a tree with one that replaces it as a whole, such as a recorded or saved one.
  ///
  /// Starting from an empty tree, this gives the events of a restored one. The new tree is taken as
  /// is, with its loaded screens, which ``completions`` don't reproduce.
  ///
  /// - Complexity: O(screens) to find the shown ones; parts that both trees share cost nothing.
  public init(
    from old: NavigationTree, to new: NavigationTree, motion: NavigationAction.Motion = .immediate,
    origin: NavigationOrigin = .timeline
  ) {
    tree = new
    completions = TreeComparison.changes(from: old, to: new).map {
      NavigationCompletion($0, motion: motion, origin: origin)
    }
    var course = LifecycleCourse(motion: motion)
    course.run(from: old, to: new)
    events = course.events
    unloaded = course.unloaded
  }

  init(
    from old: NavigationTree, to new: NavigationTree, action: NavigationAction,
    extra: NavigationChange?
  ) {
    let transition = Transition(from: old, to: new, motion: action.motion, origin: action.origin)
    tree = transition.tree
    events = transition.events
    unloaded = transition.unloaded
    let added = extra.map {
      [NavigationCompletion($0, motion: action.motion, origin: action.origin)]
    }
    completions = transition.completions + (added ?? [])
  }
}

extension NavigationTree {
  /// Applies an action to the tree.
  ///
  /// An action whose goal is already reached, such as popping to the top, changes and reports
  /// nothing; only a person's selection of the selected tab is reported. An impossible action is an
  /// error.
  ///
  /// - Throws: ``NavigationError``; the tree stays as it is.
  /// - Complexity: what changes, and a glance at each screen and container.
  public func applying(_ action: NavigationAction) throws(NavigationError) -> Transition {
    var edit = TreeEdit(tree: self, action: action)
    try NavigationTree.validateContents(action.operation.screens)
    try edit.run()
    let difference = TreeDifference(from: self, to: edit.tree)
    if !difference.keepsValid(edit.tree) { try edit.tree.validate() }
    try edit.tree.validateSize()
    edit.tree.loadVisible(after: difference)
    return Transition(from: self, to: edit.tree, action: action, extra: edit.reselection)
  }

  /// Applies a completion that was reported for an equal tree.
  ///
  /// - Throws: ``NavigationError``; the tree stays as it is.
  public func applying(
    _ completion: NavigationCompletion
  ) throws(NavigationError) -> NavigationTree {
    var tree = self
    try NavigationTree.validateContents(completion.change.screens)
    try tree.apply(completion.change)
    try tree.validate()
    try tree.validateSize()
    tree.loadVisible()
    return tree
  }

  /// Adds shown screens to the loaded ones, and removes those that are gone.
  mutating func loadVisible(after difference: TreeDifference? = nil) {
    if let difference, difference.hasSameWindows {
      // A screen that only moved stays loaded.
      let moved = Set(difference.fresh.map(\.id))
      for node in difference.gone where !moved.contains(node.id) { loaded.remove(node.id) }
    } else {
      loaded = loaded.subtracting(loaded.subtracting(IDList(screens.map(\.id))))
    }
    for screen in visibleScreens { loaded.insert(screen.id) }
  }
}
