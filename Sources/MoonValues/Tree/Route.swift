/// The slot at each level on the way from a root to a value.
struct Route {
  private var bits: UInt64 = 0

  // A slot's index goes up to the width itself, for an insertion at the end: 5 bits for 16. Twelve
  // levels of at least eight children each hold more values than fit into memory.
  private static let bitsPerLevel: UInt64 = 5

  subscript(level: Int) -> Int {
    @inline(__always) get { Int(bits &>> (UInt64(level) &* Route.bitsPerLevel) & 0x1F) }
  }

  /// Records the slot of the next level down.
  mutating func set(_ level: Int, _ slot: Int) {
    bits |= UInt64(slot) &<< (UInt64(level) &* Route.bitsPerLevel)
  }
}

extension Node {
  /// The route to `position`, which may be the end for an insertion.
  func route(to position: Int) -> Route {
    var route = Route()
    var rest = position
    var node = Unmanaged.passUnretained(self)
    while true {
      let next = node._withUnsafeGuaranteedRef { node -> Unmanaged<Node>? in
        let height = node.height
        if height == 0 {
          route.set(0, rest)
          return nil
        }
        let (child, slot) = node.descend(&rest)
        route.set(height, slot)
        return child
      }
      guard let next else { return route }
      node = next
    }
  }

  /// The address of the value at the end of a route; valid as long as this node.
  func place(at route: Route) -> UnsafePointer<Value> {
    var node = Unmanaged.passUnretained(self)
    while let next = node._withUnsafeGuaranteedRef({ node -> Unmanaged<Node>? in
      let height = node.height
      return height == 0 ? nil : node.children[route[height]].reference
    }) {
      node = next
    }
    return node._withUnsafeGuaranteedRef { UnsafePointer($0.values + route[0]) }
  }

  /// The leaf that holds `position`, and the slot there; valid as long as this node.
  func leaf(holding position: Int) -> (leaf: Unmanaged<Node>, slot: Int) {
    var rest = position
    var node = Unmanaged.passUnretained(self)
    while let next = node._withUnsafeGuaranteedRef({ node -> Unmanaged<Node>? in
      node.height == 0 ? nil : node.descend(&rest).child
    }) {
      node = next
    }
    return (node, rest)
  }

  func value(at position: Int) -> Value {
    let (leaf, slot) = leaf(holding: position)
    return leaf._withUnsafeGuaranteedRef { $0.values[slot] }
  }

  /// The child that holds position `rest`, which becomes the position in the child.
  private func descend(_ rest: inout Int) -> (child: Unmanaged<Node>, slot: Int) {
    let children = children
    let last = slotCount &- 1
    var slot = 0
    while slot < last, rest >= children[slot].count {
      rest &-= children[slot].count
      slot &+= 1
    }
    return (children[slot].reference, slot)
  }
}

// MARK: By key

/// The result of a search for a key.
struct KeySearch {
  /// The route to the key, or to the place where it would be inserted.
  var route = Route()
  /// The number of entries with smaller keys.
  var position = 0
  var isFound = false
}

extension Node {
  func search(_ key: PackedKey) -> KeySearch {
    var search = KeySearch()
    var node = Unmanaged.passUnretained(self)
    while true {
      let next = node._withUnsafeGuaranteedRef { node -> Unmanaged<Node>? in
        let height = node.height
        guard let keys = node.keys else { return nil }
        let bound = keys.lowerBound(key)
        if height == 0 {
          search.route.set(0, bound.index)
          search.position &+= bound.index
          search.isFound = bound.isFound
          return nil
        }
        let slot = max(0, bound.index &+ (bound.isFound ? 1 : 0) &- 1)
        let children = node.children
        for index in 0..<slot { search.position &+= children[index].count }
        search.route.set(height, slot)
        return children[slot].reference
      }
      guard let next else { return search }
      node = next
    }
  }

  /// The leaf that would hold the key; valid as long as this node.
  func leaf(for key: PackedKey) -> Unmanaged<Node> {
    var node = Unmanaged.passUnretained(self)
    while let next = node._withUnsafeGuaranteedRef({ node -> Unmanaged<Node>? in
      guard node.height > 0, let keys = node.keys else { return nil }
      let bound = keys.lowerBound(key)
      return node.children[max(0, bound.index &+ (bound.isFound ? 1 : 0) &- 1)].reference
    }) {
      node = next
    }
    return node
  }

  func value(packed: (UInt64, UInt64)) -> Value? {
    slot(packed: packed)?.pointee
  }

  func value(int: Int64) -> Value? {
    slot(int: int)?.pointee
  }

  func value(_ key: PackedKey) -> Value? {
    slot(key)?.pointee
  }

  /// The address of the value under a small text key; valid as long as this node.
  @inline(__always)
  func slot(packed: (UInt64, UInt64)) -> UnsafeMutablePointer<Value>? {
    var node = Unmanaged.passUnretained(self)
    while true {
      let (next, place) = node._withUnsafeGuaranteedRef {
        node -> (Unmanaged<Node>?, UnsafeMutablePointer<Value>?) in
        guard let keys = node.keys else { return (nil, nil) }
        if node.height == 0 {
          let slot = keys.index(high: packed.0, low: packed.1)
          return (nil, slot < 0 ? nil : node.values + slot)
        }
        let slot = max(0, keys.upperBound(high: packed.0, low: packed.1) &- 1)
        return (node.children[slot].reference, nil)
      }
      guard let next else { return place }
      node = next
    }
  }

  /// The route to the value under a small text key, and its address.
  @inline(__always)
  func route(packed: (UInt64, UInt64)) -> (Route, UnsafeMutablePointer<Value>)? {
    var route = Route()
    var node = Unmanaged.passUnretained(self)
    while true {
      let (next, place) = node._withUnsafeGuaranteedRef {
        node -> (Unmanaged<Node>?, UnsafeMutablePointer<Value>?) in
        guard let keys = node.keys else { return (nil, nil) }
        let height = node.height
        if height == 0 {
          let slot = keys.index(high: packed.0, low: packed.1)
          guard slot >= 0 else { return (nil, nil) }
          route.set(0, slot)
          return (nil, node.values + slot)
        }
        let slot = max(0, keys.upperBound(high: packed.0, low: packed.1) &- 1)
        route.set(height, slot)
        return (node.children[slot].reference, nil)
      }
      if let place { return (route, place) }
      guard let next else { return nil }
      node = next
    }
  }

  @inline(__always)
  func slot(int: Int64) -> UnsafeMutablePointer<Value>? {
    let key = PackedKey(int: int)
    return leaf(for: key)._withUnsafeGuaranteedRef { leaf -> UnsafeMutablePointer<Value>? in
      guard let keys = leaf.keys else { return nil }
      let slot = keys.index(int: key.high)
      return slot < 0 ? nil : leaf.values + slot
    }
  }

  func slot(_ key: PackedKey) -> UnsafeMutablePointer<Value>? {
    leaf(for: key)._withUnsafeGuaranteedRef { leaf -> UnsafeMutablePointer<Value>? in
      guard let bound = leaf.keys?.lowerBound(key), bound.isFound else { return nil }
      return leaf.values + bound.index
    }
  }
}
