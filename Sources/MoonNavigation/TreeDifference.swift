import MoonValues

/// The nodes in which two trees differ, found without visiting those that they share.
struct TreeDifference {
  /// Whether both have the same windows; otherwise nothing else is determined.
  let hasSameWindows: Bool
  /// The nodes that left their place.
  private(set) var gone: [NavigationNode] = []
  /// The nodes that are new in their place.
  private(set) var fresh: [NavigationNode] = []
  /// The nodes in both trees whose items or presentation changed.
  private var touched: [NavigationNode] = []

  init(from old: NavigationTree, to new: NavigationTree) {
    hasSameWindows =
      old.keyWindowID == new.keyWindowID
      && old.windows.elementsEqual(new.windows) { $0.id == $1.id }
    guard hasSameWindows else { return }
    for (before, after) in zip(old.windows, new.windows) { compare(before.root, after.root) }
  }

  private mutating func compare(_ old: NavigationNode?, _ new: NavigationNode?) {
    guard let old, let new, old.isSame(as: new) else {
      old?.forEach { gone.append($0) }
      new?.forEach { fresh.append($0) }
      return
    }
    guard !old.isIdentical(to: new) else { return }
    touched.append(new)
    let (before, after) = (old.items, new.items)
    let identical = before.sharedCount(with: after)
    let same = zip(before[identical...], after[identical...]).prefix { $0.isSame(as: $1) }.count
    let shared = identical + same
    for index in identical..<shared { compare(before[index], after[index]) }
    for item in before[shared...] { item.forEach { gone.append($0) } }
    for item in after[shared...] { item.forEach { fresh.append($0) } }
    compare(old.presented, new.presented)
  }

  /// Returns the ids of the new tree, given those of the old one; nil unless the new one is
  /// certainly valid.
  ///
  /// In that case ``NavigationTree/validate()`` says whether it is, and what is wrong.
  func validIDs(of tree: NavigationTree, after ids: TreeIDs) -> TreeIDs? {
    guard hasSameWindows else { return nil }
    var nodeCount = 0
    for root in tree.windows.lazy.compactMap(\.root) {
      nodeCount += root.count
      guard NavigationTree.rootDepth + root.height < NavigationTree.depthMax else { return nil }
    }
    guard nodeCount <= NavigationTree.nodeCountMax,
      fresh.allSatisfy({ $0.id.utf8Count <= NavigationTree.nameBytesMax }),
      touched.allSatisfy(\.isWellFormed), fresh.allSatisfy(\.isWellFormed)
    else { return nil }
    var ids = ids
    for node in gone { ids.remove(node.id) }
    for node in fresh { guard ids.insert(node.id) else { return nil } }
    return ids
  }
}

extension NavigationNode {
  /// Whether it holds what it may, whatever that holds.
  fileprivate var isWellFormed: Bool {
    switch content {
    case .screen: true
    case .stack(_, let items): items.areScreens
    case .split: items.allSatisfy(mayHold)
    case .tabs(_, let items, let index):
      items.count <= NavigationTree.tabCountMax && items.allSatisfy(mayHold)
        && (items.indices.contains(index) || (items.isEmpty && index == 0))
    }
  }
}
