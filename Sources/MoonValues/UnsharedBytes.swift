extension Map {
  /// The approximate memory in bytes that the map takes besides another one, with which it shares
  /// the rest.
  ///
  /// - Complexity: O(size of the parts that they don't share).
  package func byteCount(besides other: Map) -> Int {
    var walk = UnsharedWalk()
    if let node { walk.visit(node, other.node) }
    return walk.byteCount
  }
}

/// The walk over the nodes of a value that another value doesn't have.
private struct UnsharedWalk {
  /// The bytes of an object without its contents, with what the allocator adds.
  private static let objectBytes = 32

  private(set) var byteCount = 0

  mutating func visit(_ new: Node, _ old: Node?) {
    guard new !== old else { return }
    byteCount += Self.objectBytes + MemoryLayout<NodeHeader>.size
    byteCount += new.slotMax * MemoryLayout<Value>.stride
    if let keys = new.keys, keys !== old?.keys {
      byteCount += Self.objectBytes + new.slotMax * MemoryLayout<KeyWords>.stride
    }
    if new.height == 0 { visitValues(new, old) } else { visitChildren(new, old) }
  }

  private mutating func visitChildren(_ new: Node, _ old: Node?) {
    guard let old else {
      for index in 0..<new.slotCount { visit(new.child(index), nil) }
      return
    }
    let hasSameHeight = old.height == new.height
    for index in 0..<new.slotCount {
      let child = new.child(index)
      if hasSameHeight, index < old.slotCount, old.child(index) === child { continue }
      if !hasSameHeight {
        visit(child, old)
      } else if !Self.isChild(child, of: old) {
        visit(child, index < old.slotCount ? old.child(index) : nil)
      }
    }
  }

  private mutating func visitValues(_ new: Node, _ old: Node?) {
    for index in 0..<new.slotCount where !new.values[index].isInNode {
      let value = new.values[index]
      guard let old, old.height == 0 else {
        visit(value, nil)
        continue
      }
      if index < old.slotCount, old.values[index].isIdentical(to: value) { continue }
      if Self.isValue(value, of: old) { continue }
      visit(value, index < old.slotCount ? old.values[index] : nil)
    }
  }

  // This compiler's optimizer fails if these two are parts of their callers.

  @inline(never)
  private static func isChild(_ child: Node, of node: Node) -> Bool {
    (0..<node.slotCount).contains { node.child($0) === child }
  }

  @inline(never)
  private static func isValue(_ value: Value, of node: Node) -> Bool {
    (0..<node.slotCount).contains { node.values[$0].isIdentical(to: value) }
  }

  private mutating func visit(_ new: Value, _ old: Value?) {
    switch new {
    case .map(let map): if let node = map.node { visit(node, old?.mapValue?.node) }
    case .list(let list): if let node = list.node { visit(node, old?.listValue?.node) }
    case .string(let text):
      // Small texts are part of the node.
      if text.packed == nil { byteCount += Self.objectBytes + text.utf8Count }
    case .null, .bool, .int, .double: break
    }
  }
}

extension Value {
  /// Whether the value is in its node as a whole.
  fileprivate var isInNode: Bool {
    switch self {
    case .null, .bool, .int, .double: true
    case .string(let text): text.packed != nil
    case .list, .map: false
    }
  }
}
