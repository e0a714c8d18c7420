/// The keys of maps that are made again and again with the same keys, which all these maps share.
///
/// The keys of a map that is made from pairs are compared, packed and copied each time.
package struct RecordKeys {
  /// The maximum number of keys.
  package static let countMax = Node.widthMax

  private let block: KeyBlock

  /// Takes one to ``countMax`` keys in ascending order.
  package init(_ names: Text...) {
    self.init(names)
  }

  /// Takes one to ``countMax`` keys in ascending order.
  package init(_ names: [Text]) {
    precondition((1...Self.countMax).contains(names.count), "the keys of one node")
    precondition(zip(names, names.dropFirst()).allSatisfy { $0 < $1 }, "the keys ascend")
    block = KeyBlock.make(capacity: names.count)
    for name in names { block.append(PackedKey(name)) }
  }

  /// Makes the map of values, which are as many as the keys and in their order.
  package func map(_ values: Value...) -> Map {
    precondition(values.count == block.count, "a value for each key")
    return map { values[$0] }
  }

  /// Makes the map of the values that `value` gives for the index of each key, in order.
  package func map(_ value: (Int) -> Value) -> Map {
    let leaf = Node.makeLeaf(capacity: block.count, keys: block)
    var size = Size.zero
    for index in 0..<block.count {
      let value = value(index)
      size.addUnchecked(value.size.item(keyByteCount: leaf.keyByteCount(at: index)))
      leaf.append(value)
    }
    leaf.size = size.clamped
    return Map(node: leaf)
  }

  /// The number of bytes that the keys take, without texts of more than ``Text/smallCountMax``.
  package var storedByteCount: Int { block.count * MemoryLayout<KeyWords>.stride + 48 }
}

// Sendable: a block is never changed once it is built. It can't conform itself, because
// `ManagedBuffer` can't be Sendable.
extension RecordKeys: @unchecked Sendable {}
