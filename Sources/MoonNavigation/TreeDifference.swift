import MoonValues

/// The nodes in which two trees differ, found without visiting those that they share.
struct TreeDifference {
  /// The number of new nodes up to which linear search is faster than a set.
  private static let freshCountMax = 8

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
    let shared = zip(before, after).prefix { $0.isSame(as: $1) }.count
    for (old, new) in zip(before[..<shared], after) { compare(old, new) }
    for item in before[shared...] { item.forEach { gone.append($0) } }
    for item in after[shared...] { item.forEach { fresh.append($0) } }
    compare(old.presented, new.presented)
  }

  /// Whether the new tree is certainly valid, given that the old one was.
  ///
  /// If not, ``NavigationTree/validate()`` says whether it is, and what is wrong.
  func keepsValid(_ tree: NavigationTree) -> Bool {
    guard hasSameWindows, fresh.count <= Self.freshCountMax else { return false }
    var nodeCount = 0
    for root in tree.windows.lazy.compactMap(\.root) {
      nodeCount += root.count
      guard NavigationTree.rootDepth + root.height < NavigationTree.depthMax else { return false }
    }
    guard nodeCount <= NavigationTree.nodeCountMax,
      touched.allSatisfy(\.isWellFormed), fresh.allSatisfy(\.isWellFormed)
    else { return false }
    return fresh.allSatisfy { tree.isUnique($0.id) }
  }
}

extension NavigationNode {
  /// Whether it holds what it may, whatever that holds.
  fileprivate var isWellFormed: Bool {
    switch content {
    case .screen: true
    case .stack(_, let items): items.allSatisfy(\.isScreen)
    case .tabs(_, let items, let index):
      items.count <= NavigationTree.tabCountMax && items.allSatisfy { $0.isScreen || $0.isStack }
        && (items.indices.contains(index) || (items.isEmpty && index == 0))
    }
  }
}

extension NavigationTree {
  /// Whether only one node has that id, and no window.
  fileprivate func isUnique(_ id: Text) -> Bool {
    var count = windows.contains { $0.id == id } ? 1 : 0
    forEachNode { if $0.id == id { count += 1 } }
    return count == 1
  }
}
