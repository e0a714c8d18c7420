/// A list or map whose entries are read at their addresses and replaced in place, for the boundary
/// to Lua.
package struct Branch {
  package enum Kind: UInt8 {
    /// Neither a list nor a map.
    case none
    case list
    case map
  }

  /// Nil for an empty list or map.
  var node: Node?
  package private(set) var kind: Kind

  /// Holds a list or map.
  ///
  /// Any other value is not stored.
  package init(_ value: Value) {
    switch value {
    case .list(let list): (node, kind) = (list.node, .list)
    case .map(let map): (node, kind) = (map.node, .map)
    default: (node, kind) = (nil, .none)
    }
  }

  /// Takes over a list or map, and leaves null.
  package init(moving value: inout Value) {
    self.init(value)
    if kind != .none { value = .null }
  }

  /// The value.
  ///
  /// It is changed in place where it isn't shared.
  package var value: Value {
    get {
      switch kind {
      case .list: .list(List(node: node))
      case .map: .map(Map(node: node))
      case .none: .null
      }
    }
    _modify {
      var value = moveOut()
      defer { self = Branch(value) }
      yield &value
    }
  }

  /// Transfers the value to the caller and leaves this empty.
  package mutating func moveOut() -> Value {
    defer { (node, kind) = (nil, .none) }
    return value
  }

  package var count: Int { node?.count ?? 0 }
}

// MARK: Reading

extension Branch {
  /// The address of the value under a small text key; valid until the branch is changed or
  /// released.
  package func slot(packed key: (UInt64, UInt64)) -> UnsafePointer<Value>? {
    kind == .map ? UnsafePointer(node?.slot(packed: key)) : nil
  }

  /// The address of the value under an integer; a list's positions count from 1.
  package func slot(int key: Int64) -> UnsafePointer<Value>? {
    guard let node else { return nil }
    if kind == .map { return UnsafePointer(node.slot(int: key)) }
    guard key >= 1, key <= Int64(node.count) else { return nil }
    return UnsafePointer(node.slot(at: Int(key) &- 1))
  }

  /// The address of the value under a key.
  package func slot(_ key: Key) -> UnsafePointer<Value>? {
    switch key {
    case .int(let integer): return slot(int: integer)
    case .string(let text):
      if let packed = text.packed { return slot(packed: packed) }
      return kind == .map ? UnsafePointer(node?.slot(PackedKey(text))) : nil
    }
  }
}

// MARK: Changing

extension Branch {
  /// Replaces a scalar under a small text key by another.
  ///
  /// Returns false and does nothing if there is none.
  package mutating func replaceScalar(
    packed key: (UInt64, UInt64), with value: Value
  ) -> Bool {
    guard kind == .map, let search = node?.search(PackedKey(packed: key)), search.isFound,
      node?.place(at: search.route).pointee.isScalar == true
    else { return false }
    withNodeSlot(&node) { TreeEdits.replace($0, search.route, with: value) }
    return true
  }

  /// Replaces the value under an existing key.
  ///
  /// Returns false and does nothing if there is none.
  package mutating func replace(_ key: Key, with value: Value) -> Bool {
    guard let route = route(to: key) else { return false }
    withNodeSlot(&node) { TreeEdits.replace($0, route, with: value) }
    return true
  }

  private func route(to key: Key) -> Route? {
    guard let node else { return nil }
    switch (kind, key) {
    case (.list, .int(let position)):
      guard position >= 1, position <= Int64(node.count) else { return nil }
      return node.route(to: Int(position) &- 1)
    case (.map, _):
      let search = node.search(PackedKey(key))
      return search.isFound ? search.route : nil
    default: return nil
    }
  }

  /// The slot of a key in the only node of a map; nil if there is none, or if there are more nodes.
  func slot(of key: KeyWords) -> Int? {
    guard kind == .map, let node, node.height == 0, let keys = node.keys else { return nil }
    let slot = keys.index(high: key.high, low: key.low)
    return slot < 0 ? nil : slot
  }
}

extension Value {
  var isScalar: Bool {
    switch self {
    case .list, .map: false
    default: true
    }
  }
}

// MARK: Walking

extension Node {
  /// Calls `body` with each leaf in order.
  func forEachLeaf(_ body: (Node) -> Void) {
    if height == 0 { return body(self) }
    for index in 0..<slotCount { child(index).forEachLeaf(body) }
  }
}

extension List {
  /// Calls `body` with the address of each value in order.
  package func forEachSlot(_ body: (UnsafePointer<Value>) -> Void) {
    node?.forEachLeaf { leaf in
      for index in 0..<leaf.slotCount { body(leaf.values + index) }
    }
  }
}

extension Map {
  /// A reference to a stored key.
  package enum KeyPlace {
    case int(Int64)
    case small(UInt64, UInt64)
    case large(Text)
  }

  /// Calls `body` with each key and the address of its value, in key order.
  package func forEachSlot(_ body: (KeyPlace, UnsafePointer<Value>) -> Void) {
    node?.forEachLeaf { leaf in
      guard let keys = leaf.keys else { return }
      for index in 0..<leaf.slotCount { body(keys.place(at: index), leaf.values + index) }
    }
  }
}

extension KeyBlock {
  fileprivate func place(at index: Int) -> Map.KeyPlace {
    let entry = words[index]
    if index < intCount { return .int(Int64(bitPattern: entry.high ^ (1 << 63))) }
    guard entry.isLarge, case .string(let text) = key(at: index) else {
      return .small(entry.high, entry.low)
    }
    return .large(text)
  }
}
