import MoonValues

/// What an action made of a tree.
public struct Transition: Equatable, Sendable {
  /// The new tree.
  public let tree: NavigationTree
  /// What changed, in the order in which it has to be applied to the old tree; empty if nothing.
  public let completions: [NavigationCompletion]
  /// What screens get to know, in the order in which they do.
  public let events: [LifecycleEvent]
  /// The screens that had been loaded and are not any more, each after its last event.
  public let unloaded: [Screen]

  /// Compares a tree with one that replaces it as a whole, such as a recorded or saved one.
  ///
  /// From an empty tree this makes the events of a restored one. The new tree is taken as it is,
  /// what it notes as loaded included, so ``completions`` lead to it but for that.
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
  /// Does an action to the tree.
  ///
  /// What is reached already, such as popping to the top or selecting the selected tab, changes
  /// nothing and reports nothing; only a person who selects the selected tab is reported. What
  /// can't be done is an error.
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

  /// Applies what was reported for a tree that is equal to this one.
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

  /// Notes as loaded what is shown, and forgets what is gone.
  mutating func loadVisible(after difference: TreeDifference? = nil) {
    if let difference, difference.hasSameWindows {
      // What has only moved is as loaded as it was.
      let moved = Set(difference.fresh.map(\.id))
      for node in difference.gone where !moved.contains(node.id) { loaded.remove(node.id) }
    } else {
      loaded = loaded.subtracting(loaded.subtracting(IDList(screens.map(\.id))))
    }
    for screen in visibleScreens { loaded.insert(screen.id) }
  }
}
