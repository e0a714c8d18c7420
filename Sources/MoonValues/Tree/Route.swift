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
    var node = self
    while node.height > 0 {
      let slot = node.slot(holding: &rest)
      route.set(node.height, slot)
      node = node.child(slot)
    }
    route.set(0, rest)
    return route
  }

  /// The address of the value at the end of a route; valid as long as this node.
  func place(at route: Route) -> UnsafePointer<Value> {
    var node = self
    while node.height > 0 { node = node.child(route[node.height]) }
    return UnsafePointer(node.values + route[0])
  }

  /// The leaf that holds `position`, and the slot there.
  func leaf(holding position: Int) -> (leaf: Node, slot: Int) {
    var rest = position
    var node = self
    while node.height > 0 { node = node.child(node.slot(holding: &rest)) }
    return (node, rest)
  }

  /// The address of the value at `position`; valid as long as this node.
  func slot(at position: Int) -> UnsafeMutablePointer<Value> {
    let (leaf, slot) = leaf(holding: position)
    return leaf.values + slot
  }

  /// The slot of the child that holds position `rest`, which becomes the position in the child.
  private func slot(holding rest: inout Int) -> Int {
    let children = children
    let last = slotCount &- 1
    var slot = 0
    while slot < last, rest >= children[slot].count {
      rest &-= children[slot].count
      slot &+= 1
    }
    return slot
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
    var node = self
    while node.height > 0 {
      let slot = node.slot(ofChildFor: key)
      for index in 0..<slot { search.position &+= node.children[index].count }
      search.route.set(node.height, slot)
      node = node.child(slot)
    }
    guard let bound = node.keys?.lowerBound(key) else { return search }
    search.route.set(0, bound.index)
    search.position &+= bound.index
    search.isFound = bound.isFound
    return search
  }

  /// The slot of the child that would hold a key.
  private func slot(ofChildFor key: PackedKey) -> Int {
    guard let bound = keys?.lowerBound(key) else { return 0 }
    return max(0, bound.index &+ (bound.isFound ? 1 : 0) &- 1)
  }

  /// The leaf that would hold the key.
  private func leaf(for key: PackedKey) -> Node {
    var node = self
    while node.height > 0 { node = node.child(node.slot(ofChildFor: key)) }
    return node
  }

  /// The address of the value under a small text key; valid as long as this node.
  @inline(__always)
  func slot(packed: (UInt64, UInt64)) -> UnsafeMutablePointer<Value>? {
    let leaf = height == 0 ? self : leaf(for: PackedKey(packed: packed))
    guard let keys = leaf.keys else { return nil }
    let slot = keys.index(high: packed.0, low: packed.1)
    return slot < 0 ? nil : leaf.values + slot
  }

  /// The address of the value under an integer key; valid as long as this node.
  func slot(int: Int64) -> UnsafeMutablePointer<Value>? {
    let key = PackedKey(int: int)
    let leaf = leaf(for: key)
    guard let keys = leaf.keys else { return nil }
    let slot = keys.index(int: key.high)
    return slot < 0 ? nil : leaf.values + slot
  }

  /// The address of the value under a key; valid as long as this node.
  func slot(_ key: PackedKey) -> UnsafeMutablePointer<Value>? {
    let leaf = leaf(for: key)
    guard let bound = leaf.keys?.lowerBound(key), bound.isFound else { return nil }
    return leaf.values + bound.index
  }
}
