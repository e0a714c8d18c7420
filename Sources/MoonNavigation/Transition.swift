package import MoonValues

/// The result of applying an action to a tree.
package struct Transition: Equatable, Sendable {
  /// The new tree.
  package let tree: NavigationTree
  private let report: Report

  private enum Report: Sendable {
    case step(StepReport)
    case lists([NavigationCompletion], [LifecycleEvent], unloaded: [Screen])
  }

  /// Compares a tree with one that replaces it as a whole, such as a recorded one.
  ///
  /// The new tree is taken as is, with its loaded screens, which ``completions`` don't reproduce.
  ///
  /// - Complexity: O(screens) to find the shown ones; parts that both trees share cost nothing.
  package init(
    from old: NavigationTree, to new: NavigationTree, motion: NavigationAction.Motion = .immediate,
    origin: NavigationOrigin = .timeline
  ) {
    self.init(from: old, to: new, motion, origin, nil, extra: nil)
  }

  /// Makes the transition to the tree of an earlier run.
  ///
  /// Its windows don't start: they are restored.
  package init(restoring tree: NavigationTree) {
    self.init(
      from: NavigationTree(), to: tree, .immediate, .timeline, nil, extra: nil, isRestoring: true)
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

  /// Makes the transition by a step.
  init(to tree: NavigationTree, _ step: StepReport) {
    self.tree = tree
    report = .step(step)
  }

  private init(
    from old: NavigationTree, to new: NavigationTree, _ motion: NavigationAction.Motion,
    _ origin: NavigationOrigin, _ difference: TreeDifference?, extra: NavigationChange?,
    isRestoring: Bool = false
  ) {
    tree = new
    var changes = TreeComparison.changes(from: old, to: new) + (extra.map { [$0] } ?? [])
    if isRestoring { changes = changes.map(\.restoring) }
    var course = LifecycleCourse(motion: motion)
    course.run(from: old, to: new, difference)
    report = .lists(
      changes.map { NavigationCompletion($0, motion: motion, origin: origin) }, course.events,
      unloaded: course.unloaded)
  }
}

extension NavigationChange {
  /// The change as it is when a tree is restored.
  fileprivate var restoring: NavigationChange {
    if case .start(let window, let index) = self { .restore(window, at: index) } else { self }
  }
}

extension Transition {
  /// The changes in the order in which they apply to the old tree; empty if nothing changed.
  ///
  /// - Complexity: O(changes), like the other lists.
  package var completions: [NavigationCompletion] {
    switch report {
    case .step(let step): [step.completion]
    case .lists(let completions, _, _): completions
    }
  }

  /// The events of screens, in order.
  package var events: [LifecycleEvent] {
    var events: [LifecycleEvent] = []
    forEachEvent(of: .all) { stage, screen, windowID, motion in
      events.append(
        LifecycleEvent(stage: stage, screen: screen, windowID: windowID, motion: motion))
    }
    return events
  }

  /// The screens that are no longer loaded.
  package var unloaded: [Screen] {
    switch report {
    case .step(let step): step.unloaded.map { [$0] } ?? []
    case .lists(_, _, let unloaded): unloaded
    }
  }

  /// Compares the trees and all that is reported.
  package static func == (left: Transition, right: Transition) -> Bool {
    left.tree == right.tree && left.completions == right.completions
      && left.events == right.events && left.unloaded == right.unloaded
  }

  /// Whether screens come, go or change places.
  package var hasEvents: Bool {
    switch report {
    case .step: true
    case .lists(_, let events, _): !events.isEmpty
    }
  }

  /// The screen that a step has put on a stack, with its window; nil for any other change.
  package var arrival: (screen: Screen, windowID: Text)? {
    if case .step(let step) = report { step.arrival } else { nil }
  }

  /// Whether it is a step that has put a screen on a stack as it is.
  package func brings(_ screen: Screen) -> Bool {
    if case .step(let step) = report { step.brings(screen) } else { false }
  }

  /// The number of screens that are no longer loaded.
  package var unloadedCount: Int {
    switch report {
    case .step(let step): step.isForward ? 0 : 1
    case .lists(_, _, let unloaded): unloaded.count
    }
  }

  /// Visits the types of ``completions`` and what makes the payloads.
  package func forEachCompletion(_ body: (_ type: Text, _ payload: () -> Value) -> Void) {
    switch report {
    case .step(let step): body(step.type, { step.completion.payload })
    case .lists(let completions, _, _):
      for completion in completions { body(completion.type, { completion.payload }) }
    }
  }

  /// Visits the ``events`` of some stages.
  package func forEachEvent(of stages: LifecycleStages, _ body: LifecycleEvent.Body) {
    switch report {
    case .step(let step): step.forEachEvent(of: stages, body)
    case .lists(_, let events, _):
      for event in events where stages.contains(event.stage.asSet) {
        body(event.stage, event.screen, event.windowID, event.motion)
      }
    }
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
  package func applying(_ action: NavigationAction) throws(NavigationError) -> Transition {
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
  package func applying(
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
