/// Walks the leaves of a tree in order.
struct LeafWalk {
  let root: Node?
  private(set) var leaf: Node?
  private(set) var slot = -1
  private var position = 0

  init(root: Node?) {
    self.root = root
  }

  /// Advances to the next value; returns false at the end.
  ///
  /// - Complexity: O(1) amortised: descending from the root costs O(log n) for each leaf.
  mutating func advance() -> Bool {
    slot &+= 1
    if let leaf, slot < leaf.slotCount { return true }
    return advanceLeaf()
  }

  private mutating func advanceLeaf() -> Bool {
    guard let root, position < root.count else {
      leaf = nil
      slot = -1
      return false
    }
    let next = root.leaf(holding: position).leaf
    leaf = next
    position += next.slotCount
    slot = 0
    return true
  }
}

// Sendable: it only reads nodes, which are never written while they are shared (see `Map`).
extension LeafWalk: @unchecked Sendable {}
