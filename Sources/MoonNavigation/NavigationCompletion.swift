package import MoonValues

/// A report of a change to a tree that allows it to be repeated and undone.
package struct NavigationCompletion: Equatable, Sendable {
  /// What changed.
  package var change: NavigationChange
  /// Whether it was animated.
  package var motion: NavigationAction.Motion
  /// The origin of the change.
  package var origin: NavigationOrigin

  /// Makes a report.
  package init(
    _ change: NavigationChange, motion: NavigationAction.Motion = .immediate,
    origin: NavigationOrigin = .code
  ) {
    self.change = change
    self.motion = motion
    self.origin = origin
  }

  /// The report of the opposite change, for going back through what was recorded.
  ///
  /// Applying several and then their opposites in reverse order restores the tree, except for the
  /// loaded screens.
  package func reversed(origin: NavigationOrigin = .timeline) -> NavigationCompletion {
    NavigationCompletion(change.reversed, motion: .immediate, origin: origin)
  }
}

/// One difference between two trees.
///
/// Ids after `in`, `on` and `from` are those of the container or presenting node concerned;
/// indices are counted from 0.
package enum NavigationChange: Equatable, Sendable {
  /// A window was added; if it is the only one, it is the key window.
  case start(NavigationWindow, at: Int)
  /// A window of an earlier run was restored.
  case restore(NavigationWindow, at: Int)
  /// A window was removed.
  case close(NavigationWindow, at: Int)
  /// Another window became the key window.
  case focus(Text, previous: Text)
  /// A window got another root.
  case set(NavigationNode?, previous: NavigationNode?, window: Text)
  /// A node is presented.
  case present(NavigationNode, on: Text)
  /// A node was dismissed.
  case dismiss(NavigationNode, from: Text)
  /// A screen was pushed on a stack that wasn't empty.
  case push(NavigationNode, in: Text)
  /// The last screen of a stack was popped; the stack isn't empty.
  case pop(NavigationNode, in: Text)
  /// A stack changed in another way.
  case setNavigation([NavigationNode], previous: [NavigationNode], in: Text)
  /// A tab was added.
  case insertTab(NavigationNode, at: Int, in: Text, selection: TabSelection)
  /// A tab was removed.
  case removeTab(NavigationNode, at: Int, in: Text, selection: TabSelection)
  /// Tabs changed in another way.
  case setTabs([NavigationNode], previous: [NavigationNode], in: Text, selection: TabSelection)
  /// Another tab was selected, or a person selected the selected one again.
  case selectTab(Text, in: Text, selection: TabSelection)
  /// A column of a split view changed as a whole.
  case setColumn(SplitColumn, NavigationNode, previous: NavigationNode, in: Text)
  /// The other column of a split view was selected.
  case selectColumn(SplitColumn, in: Text)
  /// A split view was collapsed.
  case collapse(Text)
  /// A split view was expanded.
  case expand(Text)
  /// A screen was replaced in place.
  case update(Screen, previous: Screen)
}

/// The tabs selected before and after a change; 0 if there are none.
package struct TabSelection: Hashable, Sendable {
  /// The index before.
  package var previous: Int
  /// The index after.
  package var current: Int

  /// Makes a pair of indices.
  package init(previous: Int, current: Int) {
    self.previous = previous
    self.current = current
  }
}

extension TabSelection {
  /// The index that is selected when tabs are replaced: that of the tab that was selected, or else
  /// of the tab that was first, or else the first.
  static func index(
    in items: [NavigationNode], following old: [NavigationNode], selectedIndex: Int?
  ) -> Int {
    for index in [selectedIndex ?? 0, 0] where old.indices.contains(index) {
      if let found = items.firstIndex(where: { $0.isSame(as: old[index]) }) { return found }
    }
    return 0
  }

  var reversed: TabSelection { TabSelection(previous: current, current: previous) }
}

extension NavigationChange {
  /// The opposite change.
  var reversed: NavigationChange {
    switch self {
    case .start(let window, let index), .restore(let window, let index): .close(window, at: index)
    case .close(let window, let index): .start(window, at: index)
    case .focus(let id, let previous): .focus(previous, previous: id)
    case .set(let root, let previous, let window): .set(previous, previous: root, window: window)
    case .present(let node, let id): .dismiss(node, from: id)
    case .dismiss(let node, let id): .present(node, on: id)
    case .push(let node, let id): .pop(node, in: id)
    case .pop(let node, let id): .push(node, in: id)
    case .setNavigation(let items, let previous, let id):
      .setNavigation(previous, previous: items, in: id)
    case .insertTab(let node, let index, let id, let selection):
      .removeTab(node, at: index, in: id, selection: selection.reversed)
    case .removeTab(let node, let index, let id, let selection):
      .insertTab(node, at: index, in: id, selection: selection.reversed)
    case .setTabs(let items, let previous, let id, let selection):
      .setTabs(previous, previous: items, in: id, selection: selection.reversed)
    case .selectTab(let tab, let id, let selection):
      .selectTab(tab, in: id, selection: selection.reversed)
    case .setColumn(let column, let node, let previous, let id):
      .setColumn(column, previous, previous: node, in: id)
    case .selectColumn(let column, let id): .selectColumn(column.other, in: id)
    case .collapse(let id): .expand(id)
    case .expand(let id): .collapse(id)
    case .update(let screen, let previous): .update(previous, previous: screen)
    }
  }

  /// The screens that applying the change brings into a tree.
  var screens: [Screen] {
    switch self {
    case .start(let window, _), .restore(let window, _): window.root?.screens ?? []
    case .set(let root, _, _): root?.screens ?? []
    case .present(let node, _), .push(let node, _), .insertTab(let node, _, _, _),
      .setColumn(_, let node, _, _):
      node.screens
    case .setNavigation(let items, _, _), .setTabs(let items, _, _, _): items.flatMap(\.screens)
    case .update(let screen, _): [screen]
    case .close, .focus, .dismiss, .pop, .removeTab, .selectTab, .selectColumn, .collapse, .expand:
      []
    }
  }
}
