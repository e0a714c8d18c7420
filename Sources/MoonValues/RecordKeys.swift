/// The keys of maps that are made again and again with the same keys, which all these maps share.
///
/// The keys of a map that is made from pairs are compared, packed and copied each time.
package struct RecordKeys {
  private let block: KeyBlock

  /// Takes keys in ascending order, at most as many as one node holds.
  package init(_ names: Text...) {
    precondition((1...Node.widthMax).contains(names.count), "the keys of one node")
    precondition(zip(names, names.dropFirst()).allSatisfy { $0 < $1 }, "the keys ascend")
    block = KeyBlock.make(capacity: names.count)
    for name in names { block.append(PackedKey(name)) }
  }

  /// Makes the map of values, which are as many as the keys and in their order.
  package func map(_ values: Value...) -> Map {
    precondition(values.count == block.count, "a value for each key")
    let leaf = Node.makeLeaf(capacity: values.count, keys: block)
    var size = Size.zero
    for value in values {
      size.addUnchecked(value.size.item(keyByteCount: leaf.keyByteCount(at: leaf.slotCount)))
      leaf.append(value)
    }
    leaf.size = size.clamped
    return Map(node: leaf)
  }
}

// Sendable: a block is never changed once it is built. It can't conform itself, because
// `ManagedBuffer` can't be Sendable.
extension RecordKeys: @unchecked Sendable {}
