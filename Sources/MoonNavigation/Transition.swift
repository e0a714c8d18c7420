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
    self.init(from: old, to: new, motion, origin, nil, extra: nil)
  }

  /// Compares a tree with what an action made of it, and adds a change that isn't seen in the tree.
  ///
  /// - Complexity: O(what changed · log screens).
  init(
    from old: NavigationTree, to new: NavigationTree, action: NavigationAction,
    _ difference: TreeDifference, extra: NavigationChange?
  ) {
    self.init(from: old, to: new, action.motion, action.origin, difference, extra: extra)
  }

  init(
    tree: NavigationTree, completions: [NavigationCompletion], events: [LifecycleEvent],
    unloaded: [Screen]
  ) {
    self.tree = tree
    self.completions = completions
    self.events = events
    self.unloaded = unloaded
  }

  private init(
    from old: NavigationTree, to new: NavigationTree, _ motion: NavigationAction.Motion,
    _ origin: NavigationOrigin, _ difference: TreeDifference?, extra: NavigationChange?
  ) {
    tree = new
    let changes = TreeComparison.changes(from: old, to: new) + (extra.map { [$0] } ?? [])
    completions = changes.map { NavigationCompletion($0, motion: motion, origin: origin) }
    var course = LifecycleCourse(motion: motion)
    course.run(from: old, to: new, difference)
    events = course.events
    unloaded = course.unloaded
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
  /// - Complexity: O(what changes · log screens), or O(screens) if windows come or go.
  public func applying(_ action: NavigationAction) throws(NavigationError) -> Transition {
    try action.operation.validateContents()
    if let transition = StackStep.transition(from: self, by: action) { return transition }
    var edit = TreeEdit(tree: self, action: action)
    try edit.run()
    let difference = TreeDifference(from: self, to: edit.tree)
    if let known = difference.validIDs(of: edit.tree, after: ids) {
      edit.tree.ids = known
    } else {
      try edit.tree.validate()
      edit.tree.ids = TreeIDs(of: edit.tree.windows)
    }
    try edit.tree.validateSize()
    edit.tree.loadVisible(after: difference)
    return Transition(
      from: self, to: edit.tree, action: action, difference, extra: edit.reselection)
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
    tree.ids = TreeIDs(of: tree.windows)
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
      let gone = loaded.subtracting(IDList(screens.map(\.id)))
      for id in gone { loaded.remove(id) }
    }
    for id in visibleIDs { loaded.insert(id) }
  }
}
