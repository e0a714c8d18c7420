extension Node {
  /// A tree of entries with unique, ascending keys, given by their index; nil for none.
  static func map(count: Int, entry: (Int) -> (key: Key, value: Value)) -> Node? {
    build(count: count) { range in
      let keys = KeyBlock.make(capacity: range.count)
      let leaf = Node.makeLeaf(capacity: range.count, keys: keys)
      var size = Size.zero
      for index in range {
        let (key, value) = entry(index)
        keys.append(PackedKey(key))
        size.addUnchecked(value.size.item(keyByteCount: leaf.keyByteCount(at: leaf.slotCount)))
        leaf.append(value)
      }
      leaf.size = size.clamped
      return leaf
    }
  }

  fileprivate static func build(count: Int, leaf: (Range<Int>) -> Node) -> Node? {
    if count == 0 { return nil }
    if count <= widthMax { return leaf(0..<count) }
    var level = spread(count).map(leaf)
    while level.count > 1 {
      level = spread(level.count).map { parent(of: level[$0]) }
    }
    return level[0]
  }

  private static func parent(of children: ArraySlice<Node>) -> Node {
    var keys: KeyBlock?
    if children.first?.keys != nil {
      let block = KeyBlock.make(capacity: children.count)
      for child in children {
        if let childKeys = child.keys { block.append(childKeys, 0..<1) }
      }
      keys = block
    }
    let node = Node.makeInner(height: (children.first?.height ?? 0) + 1, keys: keys)
    for child in children { node.append(child: child) }
    return node
  }

  /// Divides `count` slots evenly among as few nodes as possible, each at least half full.
  private static func spread(_ count: Int) -> [Range<Int>] {
    let nodeCount = (count + widthMax - 1) / widthMax
    return (0..<nodeCount).map { index in
      (index * count / nodeCount)..<((index + 1) * count / nodeCount)
    }
  }
}

extension List {
  /// Makes a list of `count` values, which `value` gives by their index, each once and in order.
  package init(count: Int, _ value: (Int) -> Value) {
    node = Node.build(count: count) { range in
      let leaf = Node.makeLeaf(capacity: range.count, keys: nil)
      var size = Size.zero
      for index in range {
        let value = value(index)
        size.addUnchecked(value.size.item(keyByteCount: 0))
        leaf.append(value)
      }
      leaf.size = size.clamped
      return leaf
    }
  }
}

// MARK: Moving values

extension List {
  /// Takes values over, which are moved out of their memory.
  init(moving values: UnsafeMutablePointer<Value>, count: Int) {
    node = Node.build(count: count) { range in
      MovedLeaf.make(of: values + range.lowerBound, count: range.count, keys: nil)
    }
  }
}

extension Map {
  /// Takes values over, which are moved out of their memory, under unique, ascending keys.
  ///
  /// `block` makes the block of a range of the keys.
  init(
    moving values: UnsafeMutablePointer<Value>, count: Int, block: (Range<Int>) -> KeyBlock
  ) {
    let node = Node.build(count: count) { range in
      MovedLeaf.make(of: values + range.lowerBound, count: range.count, keys: block(range))
    }
    self.init(node: node)
  }
}

private enum MovedLeaf {
  static func make(
    of values: UnsafeMutablePointer<Value>, count: Int, keys: KeyBlock?
  ) -> Node {
    let leaf = Node.makeLeaf(capacity: count, keys: keys)
    var size = Size.zero
    for index in 0..<count {
      size.addUnchecked(values[index].size.item(keyByteCount: leaf.keyByteCount(at: index)))
    }
    leaf.values.moveInitialize(from: values, count: count)
    leaf.slotCount = count
    leaf.count = count
    leaf.size = size.clamped
    return leaf
  }
}
