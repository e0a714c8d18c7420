import MoonValues

/// The changes that lead from one tree to another.
///
/// Places are matched by id and compared from the top down: first dismissals, then the items of a
/// container, then presentations. Equal parts are skipped, at no cost where both trees share them.
struct TreeComparison {
  private var changes: [NavigationChange] = []
  private var removed: [NavigationNode] = []
  private var inserted: [NavigationNode] = []

  static func changes(
    from old: NavigationTree, to new: NavigationTree
  ) -> [NavigationChange] {
    guard old.windows != new.windows || old.keyWindowID != new.keyWindowID else { return [] }
    var comparison = TreeComparison()
    comparison.compareWindows(old, new)
    // Only nodes that moved elsewhere can prevent changes from applying one by one.
    guard !comparison.hasMovedNodes else {
      return [comparison.changes, newRoots(of: old, from: new)].first {
        leads($0, from: old, to: new)
      } ?? replacement(of: old, with: new)
    }
    return comparison.changes
  }

  /// Whether a node left one place and came to another.
  private var hasMovedNodes: Bool {
    if removed.isEmpty || inserted.isEmpty { return false }
    let left = removed.reduce(into: Set<Text>()) { $0.formUnion($1.allIDs) }
    return inserted.contains { !left.isDisjoint(with: $0.allIDs) }
  }

  private static func leads(
    _ changes: [NavigationChange], from old: NavigationTree, to new: NavigationTree
  ) -> Bool {
    var tree = old
    for change in changes {
      do throws(NavigationError) {
        try tree.apply(change)
        try tree.validate()
      } catch {
        return false
      }
    }
    return tree.windows == new.windows && tree.keyWindowID == new.keyWindowID
  }

  /// Sets new roots for all windows that differ, for nodes that moved within the same window.
  private static func newRoots(
    of old: NavigationTree, from new: NavigationTree
  ) -> [NavigationChange] {
    var changes: [NavigationChange] = zip(old.windows, new.windows).compactMap { before, after in
      before.root == after.root
        ? nil : .set(after.root, previous: before.root, window: before.id)
    }
    if let key = new.keyWindowID, let previous = old.keyWindowID, key != previous {
      changes.append(.focus(key, previous: previous))
    }
    return changes
  }

  /// Closes all windows and starts them again, for trees that share no place.
  private static func replacement(
    of old: NavigationTree, with new: NavigationTree
  ) -> [NavigationChange] {
    var changes: [NavigationChange] = []
    if let first = old.windows.first?.id, let key = old.keyWindowID, key != first {
      changes.append(.focus(first, previous: key))
    }
    for (index, window) in old.windows.enumerated().reversed() {
      changes.append(.close(window, at: index))
    }
    for (index, window) in new.windows.enumerated() {
      changes.append(.start(window, at: index))
    }
    if let first = new.windows.first?.id, let key = new.keyWindowID, key != first {
      changes.append(.focus(key, previous: first))
    }
    return changes
  }

  // MARK: Windows

  private mutating func compareWindows(_ old: NavigationTree, _ new: NavigationTree) {
    if old.keyWindowID == new.keyWindowID,
      old.windows.elementsEqual(new.windows, by: { $0.id == $1.id })
    {
      for (before, after) in zip(old.windows, new.windows) {
        compareRoots(before.root, after.root, window: after.id)
      }
    } else {
      compareOtherWindows(old, new)
    }
  }

  private mutating func compareOtherWindows(_ old: NavigationTree, _ new: NavigationTree) {
    let newIDs = Set(new.windows.map(\.id))
    let kept = old.windows.filter { newIDs.contains($0.id) }
    let keptIDs = Set(kept.map(\.id))
    let newOrder = new.windows.map(\.id).filter(keptIDs.contains)
    guard !kept.isEmpty, kept.map(\.id) == newOrder else {
      changes = TreeComparison.replacement(of: old, with: new)
      return
    }
    // Before the key window closes, another becomes the key window, so that there always is one.
    var key = old.keyWindowID
    if let oldKey = key, !keptIDs.contains(oldKey), let successor = kept.last?.id {
      changes.append(.focus(successor, previous: oldKey))
      key = successor
    }
    for (index, window) in old.windows.enumerated().reversed() where !keptIDs.contains(window.id) {
      changes.append(.close(window, at: index))
      if let root = window.root { removed.append(root) }
    }
    var previous = kept[...]
    for (index, window) in new.windows.enumerated() {
      if let before = previous.first, before.id == window.id {
        previous.removeFirst()
        compareRoots(before.root, window.root, window: window.id)
      } else {
        changes.append(.start(window, at: index))
        if let root = window.root { inserted.append(root) }
      }
    }
    if let key, let newKey = new.keyWindowID, key != newKey {
      changes.append(.focus(newKey, previous: key))
    }
  }

  private mutating func compareRoots(
    _ old: NavigationNode?, _ new: NavigationNode?, window: Text
  ) {
    if let old, let new, old.isSame(as: new) {
      compare(old, new)
    } else if old != new {
      changes.append(.set(new, previous: old, window: window))
      if let old { removed.append(old) }
      if let new { inserted.append(new) }
    }
  }

  // MARK: Nodes

  /// Compares a place in both trees.
  private mutating func compare(_ old: NavigationNode, _ new: NavigationNode) {
    guard old != new else { return }
    let keeps =
      if let before = old.presented, let after = new.presented {
        before.isSame(as: after)
      } else { false }
    if !keeps, let presented = old.presented { dismiss(presented, from: old.id) }
    switch (old.content, new.content) {
    case (.screen(let before), .screen(let after)):
      if before != after { changes.append(.update(after, previous: before)) }
    case (.stack, .stack): compareStacks(old, new)
    case (.tabs, .tabs): compareTabs(old, new)
    case (.split, .split): compareSplits(old, new)
    default: preconditionFailure("the same place has the same sort")
    }
    guard let presented = new.presented else { return }
    if keeps, let before = old.presented {
      compare(before, presented)
    } else {
      changes.append(.present(presented, on: new.id))
      inserted.append(presented)
    }
  }

  /// Reports dismissals, the topmost first.
  private mutating func dismiss(_ node: NavigationNode, from id: Text) {
    let rest = dismissingPresented(node)
    changes.append(.dismiss(rest, from: id))
    removed.append(rest)
  }

  /// Dismisses the presented screens between a node and its top; returns the node without them.
  private mutating func dismissingPresented(_ node: NavigationNode) -> NavigationNode {
    var node = node
    if let presented = node.presented {
      dismiss(presented, from: node.id)
      node.presented = nil
    } else if let index = node.shownIndex {
      var items = node.items
      items[index] = dismissingPresented(items[index])
      node.setItems(items, selectedIndex: index)
    }
    return node
  }

  /// Compares the items that two containers share, and dismisses the screens that removed items
  /// present.
  ///
  /// All items before the index `shared` are identical. Returns the old container's items from
  /// there on, after the changes.
  private mutating func compareItems(
    _ old: NavigationNode, _ new: NavigationNode, from shared: Int
  ) -> [NavigationNode] {
    var kept: [Text: NavigationNode] = [:]
    for item in new.items[shared...] { kept[item.id] = item }
    return old.items[shared...].map { item in
      guard let after = kept[item.id], after.isSame(as: item) else {
        return dismissingPresented(item)
      }
      compare(item, after)
      return after
    }
  }

  private mutating func compareStacks(_ old: NavigationNode, _ new: NavigationNode) {
    // A stack may be long, and each push compares it.
    let shared = old.items.sharedCount(with: new.items)
    if shared == old.items.count, shared == new.items.count { return }
    let before = compareItems(old, new, from: shared)
    let after = Array(new.items[shared...])
    if before == after { return }
    if !old.items.isEmpty, after.dropLast() == before[...], let last = after.last {
      changes.append(.push(last, in: new.id))
    } else if !new.items.isEmpty, before.dropLast() == after[...], let last = before.last {
      changes.append(.pop(last, in: new.id))
    } else {
      changes.append(
        .setNavigation(
          Array(new.items), previous: Array(old.items[..<shared]) + before, in: new.id))
    }
    note(before, after)
  }

  private mutating func compareTabs(_ old: NavigationNode, _ new: NavigationNode) {
    let before = compareItems(old, new, from: 0)
    let after = Array(new.items)
    var selected = old.shownIndex ?? 0
    if before != after {
      // Before the selected tab is removed, the first one is selected.
      if before.indices.contains(selected), selected != 0,
        !after.contains(where: { $0.isSame(as: before[selected]) })
      {
        select(0, of: before, in: new.id, &selected)
      }
      let next = TabSelection.index(in: after, following: before, selectedIndex: selected)
      let selection = TabSelection(previous: selected, current: next)
      if let index = TreeComparison.insertion(before, after) {
        changes.append(.insertTab(after[index], at: index, in: new.id, selection: selection))
      } else if let index = TreeComparison.insertion(after, before) {
        changes.append(.removeTab(before[index], at: index, in: new.id, selection: selection))
      } else {
        changes.append(.setTabs(after, previous: before, in: new.id, selection: selection))
      }
      note(before, after)
      selected = next
    }
    if let index = new.shownIndex, index != selected {
      select(index, of: after, in: new.id, &selected)
    }
  }

  private mutating func select(
    _ index: Int, of items: [NavigationNode], in id: Text, _ selected: inout Int
  ) {
    let selection = TabSelection(previous: selected, current: index)
    changes.append(.selectTab(items[index].id, in: id, selection: selection))
    selected = index
  }

  private mutating func compareSplits(_ old: NavigationNode, _ new: NavigationNode) {
    let before = compareItems(old, new, from: 0)
    for column in SplitColumn.allCases {
      let (former, next) = (before[column.index], new.items[column.index])
      guard former != next else { continue }
      changes.append(.setColumn(column, next, previous: former, in: new.id))
      removed.append(former)
      inserted.append(next)
    }
    if let index = new.shownIndex, index != old.shownIndex {
      changes.append(.selectColumn(SplitColumn(at: index), in: new.id))
    }
    if new.isCollapsed != old.isCollapsed {
      changes.append(new.isCollapsed ? .collapse(new.id) : .expand(new.id))
    }
  }

  /// Records insertions and removals, to find nodes that moved elsewhere.
  private mutating func note(_ before: [NavigationNode], _ after: [NavigationNode]) {
    let shared = TreeComparison.sharedCount(before, after)
    let (before, after) = (before[shared...], after[shared...])
    if before.isEmpty || after.isEmpty {
      removed += before
      inserted += after
      return
    }
    let (old, new) = (Set(before.map(\.identity)), Set(after.map(\.identity)))
    removed += before.filter { !new.contains($0.identity) }
    inserted += after.filter { !old.contains($0.identity) }
  }

  /// Returns the number of identical items at the beginning of both.
  private static func sharedCount(_ old: [NavigationNode], _ new: [NavigationNode]) -> Int {
    zip(old, new).prefix { $0.isIdentical(to: $1) }.count
  }

  /// Returns the index in `after` of the only item that `before` lacks; nil if there is no such
  /// item.
  private static func insertion(_ before: [NavigationNode], _ after: [NavigationNode]) -> Int? {
    guard after.count == before.count + 1 else { return nil }
    let index = zip(before, after).enumerated().first { $1.0 != $1.1 }?.offset ?? before.count
    return after[(index + 1)...] == before[index...] ? index : nil
  }
}
