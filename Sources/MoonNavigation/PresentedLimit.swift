import MoonValues

/// The limit on screens of one module that are presented over one another.
package enum PresentedLimit {
  /// The maximum number of such screens.
  ///
  /// A tree has room for about twice as many, so that others can still present theirs.
  package static let countMax = 16

  /// Checks that a change doesn't nest too many presented screens of one module.
  ///
  /// - Complexity: O(windows) unless something is presented that deeply.
  /// - Throws: ``NavigationError/limitExceeded(_:max:)``.
  package static func check(
    _ tree: NavigationTree, since former: NavigationTree
  ) throws(NavigationError) {
    // What was there already isn't refused, or nothing could be dismissed.
    let height = height(of: tree)
    guard height >= countMax, height > self.height(of: former) else { return }
    let isCrowded = tree.windows.contains { $0.root?.isCrowded([:]) ?? false }
    if isCrowded { throw .limitExceeded(.presented, max: countMax) }
  }

  private static func height(of tree: NavigationTree) -> Int {
    tree.windows.reduce(0) { max($0, $1.root?.height ?? 0) }
  }
}

extension NavigationNode {
  /// Returns whether more is presented in this node than one module may; `counts` has those on the
  /// way to it.
  fileprivate func isCrowded(_ counts: [Text: Int]) -> Bool {
    if items.contains(where: { $0.height > 0 && $0.isCrowded(counts) }) { return true }
    guard let presented else { return false }
    var counts = counts
    if let module = presented.firstOwner {
      counts[module, default: 0] += 1
      if counts[module, default: 0] > PresentedLimit.countMax { return true }
    }
    return presented.isCrowded(counts)
  }

  /// The module of the first screen in the node; nil if there is none.
  var firstOwner: Text? {
    if let screen { return screen.owner?.module }
    return items.first?.firstOwner
  }
}
