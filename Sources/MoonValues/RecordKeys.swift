/// The keys of maps that are made again and again with the same keys, which all these maps share.
///
/// The keys of a map that is made from pairs are compared, packed and copied each time.
package struct RecordKeys {
  /// The maximum number of keys.
  package static let countMax = Node.widthMax

  let block: KeyBlock
  /// What the keys and commas add to the size of a map.
  let size: Size

  /// Takes one to ``countMax`` keys in ascending order.
  package init(_ names: Text...) {
    self.init(names)
  }

  /// Takes one to ``countMax`` keys in ascending order.
  package init(_ names: [Text]) {
    precondition((1...Self.countMax).contains(names.count), "the keys of one node")
    precondition(zip(names, names.dropFirst()).allSatisfy { $0 < $1 }, "the keys ascend")
    block = KeyBlock.make(capacity: names.count)
    var size = Size.zero
    for (index, name) in names.enumerated() {
      block.append(PackedKey(name))
      size.addUnchecked(Size.zero.item(keyByteCount: block.byteCount(at: index)))
    }
    self.size = size.clamped
  }

  /// The number of keys.
  package var count: Int { block.count }

  /// The keys in their order.
  package var all: [Key] { (0..<block.count).map { block.key(at: $0) } }

  /// Makes the map of values, which are as many as the keys and in their order.
  package func map(_ values: Value...) -> Map {
    precondition(values.count == block.count, "a value for each key")
    return map { values[$0] }
  }

  /// The values of a map that was made with these keys, in their order, or whose values were
  /// replaced since; nil for any other map, even an equal one.
  ///
  /// They are valid as long as the map.
  package func values(of map: Map) -> UnsafePointer<Value>? {
    guard let node = map.node, node.height == 0, node.keys === block else { return nil }
    return UnsafePointer(node.values)
  }

  /// The number of bytes that the keys take, without texts of more than ``Text/smallCountMax``.
  package var storedByteCount: Int { block.count * MemoryLayout<KeyWords>.stride + 64 }
}

// Sendable: a block is never changed once it is built. It can't conform itself, because
// `ManagedBuffer` can't be Sendable.
extension RecordKeys: @unchecked Sendable {}
