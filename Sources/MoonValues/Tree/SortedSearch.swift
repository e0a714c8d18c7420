/// The search for the first value that a predicate is true for, in a tree where it is true for all
/// values that follow such a value.
enum SortedSearch {
  /// The position of the value in the subtree of a node; the number of values if there is none.
  ///
  /// - Complexity: O(log n).
  static func position(in node: Node, _ isBehind: (borrowing Value) -> Bool) -> Int {
    if node.height == 0 { return firstSlot(of: node, isBehind) { node.values + $0 } }
    let slot = firstSlot(of: node, isBehind) { slot in
      node.children[slot].reference._withUnsafeGuaranteedRef(firstPlace)
    }
    // The value may stand in the subtree before the first that begins behind.
    guard slot > 0 else { return 0 }
    var passed = 0
    for index in 0..<(slot - 1) { passed += node.children[index].count }
    return passed
      + node.children[slot - 1].reference._withUnsafeGuaranteedRef { position(in: $0, isBehind) }
  }

  /// The first slot whose value, or first value, is behind; the number of slots if none is.
  @inline(__always)
  private static func firstSlot(
    of node: Node, _ isBehind: (borrowing Value) -> Bool,
    _ place: (Int) -> UnsafeMutablePointer<Value>
  ) -> Int {
    var (low, high) = (0, node.slotCount)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(place(middle).pointee) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The address of the first value of a subtree.
  private static func firstPlace(_ node: Node) -> UnsafeMutablePointer<Value> {
    node.height == 0
      ? node.values : node.children[0].reference._withUnsafeGuaranteedRef(firstPlace)
  }
}
