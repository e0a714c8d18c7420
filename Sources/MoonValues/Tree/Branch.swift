/// A list or map with manual reference counting, so that reading it counts no references.
///
/// For the boundary to Lua, where counting references costs more than the read itself. It owns one
/// reference to its node, which ``take()`` transfers and ``release()`` drops. Call one of the two
/// to end its lifetime.
package struct Branch {
  package enum Kind: UInt8 {
    /// Neither a list nor a map.
    case none
    case list
    case map
  }

  /// Owned; nil for an empty list or map.
  private var node: Unmanaged<Node>?
  package private(set) var kind: Kind

  /// Holds a list or map.
  ///
  /// Any other value is not stored.
  package init(_ value: borrowing Value) {
    self.init(unowned: value)
    own()
  }

  /// Holds a list or map that the caller keeps, without a reference of its own until ``own()``.
  package init(unowned value: borrowing Value) {
    switch copy value {
    case .list(let list):
      node = list.node.map(Unmanaged.passUnretained)
      kind = .list
    case .map(let map):
      node = map.node.map(Unmanaged.passUnretained)
      kind = .map
    default:
      node = nil
      kind = .none
    }
  }

  /// Adds the reference that ``init(unowned:)`` left out.
  package func own() { _ = node?.retain() }

  /// Takes over the reference of a list or map, and leaves null.
  package init(moving value: inout Value) {
    self.init(unowned: value)
    // Without destroying what was there, whose reference this has now; else its reference would be
    // counted twice.
    if kind != .none { withUnsafeMutablePointer(to: &value) { $0.initialize(to: .null) } }
  }

  /// Releases its reference.
  package func release() { node?.release() }

  /// Transfers the value to the caller.
  package func take() -> Value {
    switch kind {
    case .list: .list(List(node: node?.takeRetainedValue()))
    case .map: .map(Map(node: node?.takeRetainedValue()))
    case .none: .null
    }
  }

  /// Transfers the value to the caller and leaves this empty.
  package mutating func moveOut() -> Value {
    let value = take()
    node = nil
    kind = .none
    return value
  }

  /// The value.
  ///
  /// It is changed in place where it isn't shared.
  package var value: Value {
    get {
      _ = node?.retain()
      return take()
    }
    _modify {
      var value = take()
      // The new branch retains the node before the local reference is dropped.
      defer { self = Branch(value) }
      yield &value
    }
    set {
      let old = self
      self = Branch(newValue)
      old.release()
    }
  }

  package var count: Int { node?._withUnsafeGuaranteedRef { $0.count } ?? 0 }
}

// MARK: Reading

extension Branch {
  /// The address of the value under a small text key; valid until the branch is changed or
  /// released.
  package func slot(packed key: (UInt64, UInt64)) -> UnsafePointer<Value>? {
    guard kind == .map, let node else { return nil }
    return node._withUnsafeGuaranteedRef { UnsafePointer($0.slot(packed: key)) }
  }

  /// The address of the value under an integer; a list's positions count from 1.
  package func slot(int key: Int64) -> UnsafePointer<Value>? {
    guard let node else { return nil }
    return node._withUnsafeGuaranteedRef { node in
      if kind == .map { return UnsafePointer(node.slot(int: key)) }
      guard key >= 1, key <= Int64(node.count) else { return nil }
      return UnsafePointer(node.slot(at: Int(key) &- 1))
    }
  }

  /// The address of the value under a key.
  package func slot(_ key: Key) -> UnsafePointer<Value>? {
    switch key {
    case .int(let integer): return slot(int: integer)
    case .string(let text):
      if let packed = text.packed { return slot(packed: packed) }
      guard kind == .map, let node else { return nil }
      return node._withUnsafeGuaranteedRef { UnsafePointer($0.slot(PackedKey(text))) }
    }
  }
}

// MARK: Changing

extension Branch {
  /// Replaces a scalar under a small text key by another.
  ///
  /// Returns false and does nothing if there is none.
  package mutating func replaceScalar(
    packed key: (UInt64, UInt64), with value: consuming Value
  ) -> Bool {
    guard kind == .map, let root = node else { return false }
    let search = root._withUnsafeGuaranteedRef { node -> Route? in
      let search = node.search(PackedKey(packed: key))
      return search.isFound && node.place(at: search.route).pointee.isScalar ? search.route : nil
    }
    guard let route = search else { return false }
    replace(route, with: value)
    return true
  }

  /// The node; nil for an empty list or map.
  var root: Unmanaged<Node>? { node }

  /// The slot of a key in the only node of a map; nil if there is none, or if there are more nodes.
  func slot(of key: KeyWords) -> Int? {
    guard kind == .map, let node else { return nil }
    return node._withUnsafeGuaranteedRef { node in
      guard node.height == 0, let keys = node.keys else { return nil }
      let slot = keys.index(high: key.high, low: key.low)
      return slot < 0 ? nil : slot
    }
  }

  /// Whether this is the only reference to the node, which there must be.
  var isUnshared: Bool {
    mutating get {
      withUnsafeMutablePointer(to: &node) { slot in
        // It isn't nil and has the layout of a strong reference.
        isKnownUniquelyReferenced(
          &UnsafeMutableRawPointer(slot).assumingMemoryBound(to: Node.self).pointee)
      }
    }
  }

  /// Replaces the node by a copy that nothing else refers to.
  @inline(never)
  mutating func copyRoot() {
    guard let shared = node else { return }
    node = Unmanaged.passRetained(shared._withUnsafeGuaranteedRef { $0.copy() })
    shared.release()
  }

  /// Replaces the value under an existing key.
  ///
  /// Returns false and does nothing if there is none.
  package mutating func replace(_ key: Key, with value: consuming Value) -> Bool {
    guard let root = node else { return false }
    let route = root._withUnsafeGuaranteedRef { node -> Route? in
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
    guard let route else { return false }
    replace(route, with: value)
    return true
  }

  private mutating func replace(_ route: Route, with value: consuming Value) {
    // There is a route, so it isn't nil and has the layout of a strong reference.
    TreeEdits.replace(raw: &node, route, with: value)
  }
}

extension TreeEdits {
  fileprivate static func replace(
    raw root: UnsafeMutableRawPointer, _ route: Route, with value: consuming Value
  ) {
    replace(root.assumingMemoryBound(to: Node.self), route, with: value)
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
