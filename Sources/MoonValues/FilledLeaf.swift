/// A leaf whose values are written where they stay.
private enum FilledLeaf {
  /// Makes a leaf of the values that `fill` writes to memory for `count` of them, in order.
  ///
  /// `size` is that of the keys and commas.
  @inline(__always)
  static func make(
    count: Int, keys: KeyBlock?, size: Size, filling fill: (UnsafeMutablePointer<Value>) -> Void
  ) -> Node {
    let leaf = Node.makeLeaf(capacity: count, keys: keys)
    let values = leaf.values
    fill(values)
    leaf.slotCount = count
    leaf.count = count
    var size = size
    for index in 0..<count {
      // A value that is moved out and back isn't counted, unlike a copy.
      let value = (values + index).move()
      size.addUnchecked(value.size)
      (values + index).initialize(to: value)
    }
    leaf.size = size.clamped
    return leaf
  }
}

extension RecordKeys {
  /// Makes the map of the values that `fill` writes, one for each key, in order, to memory that
  /// isn't initialized.
  @inline(__always)
  package consuming func filledMap(by fill: (UnsafeMutablePointer<Value>) -> Void) -> Map {
    Map(node: FilledLeaf.make(count: block.count, keys: block, size: size, filling: fill))
  }

  /// Makes the map of the values that `value` gives for the index of each key, in order.
  package func map(_ value: (Int) -> Value) -> Map {
    let count = block.count
    return filledMap { slots in
      for index in 0..<count { (slots + index).initialize(to: value(index)) }
    }
  }
}

extension List {
  /// Makes a list of the values that `fill` writes to memory for `count` of them, in order, which
  /// isn't initialized.
  ///
  /// - Complexity: O(n).
  package init(count: Int, filling fill: (UnsafeMutablePointer<Value>) -> Void) {
    if count == 0 {
      self.init()
    } else if count <= Node.widthMax {
      let commas = Size(byteCount: count, elementCount: 0, depth: 0)
      self.init(node: FilledLeaf.make(count: count, keys: nil, size: commas, filling: fill))
    } else {
      self = withUnsafeTemporaryAllocation(of: Value.self, capacity: count) { values in
        guard let start = values.baseAddress else { return List() }
        fill(start)
        return List(moving: start, count: count)
      }
    }
  }
}
