import MoonValues

/// The limits on what one module has of a tree, so that others have room in it.
package enum ModuleShare {
  /// The maximum number of screens of one module, with the containers that hold them.
  package static let nodeCountMax = 900
  /// The maximum size of the screens of one module; see `Value.storageCost`.
  package static let storageCostMax = 56 << 20
  /// The maximum number of windows of one module.
  package static let windowCountMax = 12

  /// Checks that a change doesn't give one module more than its share.
  ///
  /// What was there already isn't refused, or nothing could be closed.
  ///
  /// - Complexity: O(windows), or O(screens) if the tree holds more than one share.
  /// - Throws: ``NavigationError/limitExceeded(_:max:)``.
  package static func check(
    _ tree: NavigationTree, since former: NavigationTree
  ) throws(NavigationError) {
    try check(\.nodeCount, of: tree, since: former, .nodesOfModule, max: nodeCountMax) { _ in 1 }
    try check(\.storageCost, of: tree, since: former, .sizeOfModule, max: storageCostMax) {
      $0.ownCost
    }
    guard tree.windows.count > max(windowCountMax, former.windows.count) else { return }
    var counts: [Text?: Int] = [:]
    for window in tree.windows { counts[window.root?.firstOwner, default: 0] += 1 }
    if counts.contains(where: { $0.value > windowCountMax }) {
      throw .limitExceeded(.windowsOfModule, max: windowCountMax)
    }
  }

  private static func check(
    _ total: (NavigationTree) -> Int, of tree: NavigationTree, since former: NavigationTree,
    _ limit: NavigationError.Limit, max: Int, _ part: (NavigationNode) -> Int
  ) throws(NavigationError) {
    let sum = total(tree)
    guard sum > max, sum > total(former) else { return }
    var parts: [Text?: Int] = [:]
    for root in tree.windows.lazy.compactMap(\.root) {
      root.forEach { parts[$0.firstOwner, default: 0] += part($0) }
    }
    if parts.contains(where: { $0.value > max }) { throw .limitExceeded(limit, max: max) }
  }
}

extension NavigationTree {
  fileprivate var nodeCount: Int { windows.reduce(0) { $0 + ($1.root?.count ?? 0) } }
}

extension NavigationNode {
  /// Its size without that of the nodes in it.
  fileprivate var ownCost: Int {
    storageCost - items.reduce(presented?.storageCost ?? 0) { $0 + $1.storageCost }
  }
}
