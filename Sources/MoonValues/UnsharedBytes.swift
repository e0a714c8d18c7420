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
    let hasSameHeight = old?.height == new.height
    for index in 0..<new.slotCount {
      let child = new.child(index)
      guard let old, hasSameHeight else {
        visit(child, old)
        continue
      }
      let isShared = (0..<old.slotCount).contains { old.child($0) === child }
      if !isShared { visit(child, index < old.slotCount ? old.child(index) : nil) }
    }
  }

  private mutating func visitValues(_ new: Node, _ old: Node?) {
    let old = old?.height == 0 ? old : nil
    for index in 0..<new.slotCount {
      let value = new.values[index]
      guard !value.isScalar else { continue }
      let isShared =
        old.map { old in
          (0..<old.slotCount).contains { old.values[$0].isIdentical(to: value) }
        } ?? false
      guard !isShared else { continue }
      visit(value, old.flatMap { index < $0.slotCount ? $0.values[index] : nil })
    }
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
  fileprivate var isScalar: Bool {
    switch self {
    case .null, .bool, .int, .double: true
    case .string(let text): text.packed != nil
    case .list, .map: false
    }
  }
}
