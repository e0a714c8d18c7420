/// A persistent sorted map, which shares structure with the maps it was made from.
///
/// A B+tree rather than a hash trie: iteration has a defined order, so that a script's `pairs` is
/// the same everywhere; canonical text needs no sorting; two versions are compared by walking both
/// and skipping shared parts; and there is no hash to attack or to seed. Nodes have up to 16 slots,
/// so a small record is one flat node, and store their keys apart from their values, so that
/// changing a value shares all keys.
///
/// A copy is O(1). A change copies the nodes on the path to it, or changes them in place if no copy
/// shares them. Integer and text keys may be mixed.
public struct Map {
  package var root: AnyObject? { node }
  var node: Node?

  /// Makes an empty map.
  public init() {
    node = nil
  }

  init(node: Node?) {
    self.node = node
  }

  /// Makes a map of pairs in any order; the last of equal keys wins.
  ///
  /// - Complexity: O(n log n), and O(n) if the keys ascend.
  @inlinable
  public init(_ pairs: some Sequence<(Key, Value)>) {
    // Inlinable, since reading a sequence without knowing its type takes several times as long.
    self.init(entries: Array(pairs))
  }

  @usableFromInline
  init(entries: [(Key, Value)]) {
    node = entries.withUnsafeBufferPointer { entries in
      guard let order = EntryOrder.indices(sorting: entries) else {
        return Node.map(count: entries.count) { entries[$0] }
      }
      return Node.map(count: order.count) { entries[order[$0]] }
    }
  }

  /// Makes a map of entries whose keys the caller knows to be unique and ascending.
  ///
  /// - Complexity: O(n).
  package init(uniqueSorted entries: [(key: Key, value: Value)]) {
    node = Node.map(count: entries.count) { entries[$0] }
  }

  /// Makes a map of one entry.
  @usableFromInline
  package init(key: Key, value: Value) {
    let leaf = Node.makeLeaf(capacity: 1, keys: KeyBlock.single(PackedKey(key)))
    leaf.size = value.size.item(keyByteCount: leaf.keyByteCount(at: 0))
    leaf.append(value)
    node = leaf
  }

  /// The number of entries.
  public var count: Int { node?.count ?? 0 }

  /// Whether the map is empty.
  public var isEmpty: Bool { node == nil }

  /// The value under a key; nil if there is none.
  ///
  /// Setting nil removes the entry.
  ///
  /// - Complexity: O(log n). Setting copies the part of the path that other maps share.
  public subscript(key: Key) -> Value? {
    get {
      switch key {
      case .int(let integer): value(int: integer)
      case .string(let text): value(text)
      }
    }
    set {
      if let newValue { set(key, newValue) } else { remove(key) }
    }
  }

  /// The value under a text key; nil if there is none.
  ///
  /// - Complexity: O(log n).
  public subscript(_ name: String) -> Value? { value(Text(name)) }

  /// The position of the key in key order; nil if it isn't in the map.
  ///
  /// - Complexity: O(log n).
  package func position(of key: Key) -> Int? {
    guard let search = node?.search(PackedKey(key)), search.isFound else { return nil }
    return search.position
  }

  /// The position of the first entry whose key is greater than `key`, which may be absent.
  ///
  /// Returns ``count`` if there is none.
  ///
  /// - Complexity: O(log n).
  package func firstPosition(after key: Key) -> Int {
    guard let search = node?.search(PackedKey(key)) else { return 0 }
    return search.position + (search.isFound ? 1 : 0)
  }

  /// The entry at a position in key order, which must be in `0..<count`.
  ///
  /// - Complexity: O(log n).
  package func entry(at position: Int) -> (key: Key, value: Value) {
    guard let node, position >= 0, position < node.count else {
      preconditionFailure("position out of the map's range")
    }
    let (leaf, slot) = node.leaf(holding: position)
    return leaf.entry(slot)
  }

  /// The place of an entry in a map, valid while the map has the same keys.
  package struct Index: Sendable {
    let route: Route
  }

  /// The place of the entry under a key; nil if there is none.
  ///
  /// - Complexity: O(log n).
  package func index(forKey key: Key) -> Index? {
    guard let search = node?.search(PackedKey(key)), search.isFound else { return nil }
    return Index(route: search.route)
  }

  /// The entry under a key, as its place and its value; nil if there is none.
  ///
  /// - Complexity: O(log n).
  package func entry(forKey key: Key) -> (place: Index, value: Value)? {
    guard let index = index(forKey: key) else { return nil }
    return (index, self[index])
  }

  /// The value of the entry at a place, which must be one of this map.
  ///
  /// - Complexity: O(height). Setting copies the part of the path that other maps share.
  package subscript(index: Index) -> Value {
    _read {
      guard let node else { preconditionFailure("an empty map has no places") }
      yield node.place(at: index.route).pointee
    }
    set { withNodeSlot(&node) { TreeEdits.replace($0, index.route, with: newValue) } }
  }

  /// The map with another value at a place, which must be one of this map.
  ///
  /// - Complexity: O(height).
  package func replacing(_ index: Index, with value: Value) -> Map {
    var map = self
    map[index] = value
    return map
  }

  /// The keys in order.
  ///
  /// - Complexity: O(n).
  public var keys: [Key] { map(\.key) }

  /// Whether both are the same node, and therefore equal.
  ///
  /// O(1).
  package func isIdentical(to other: Map) -> Bool {
    node === other.node
  }

  /// The value under a small text key given by its packed words.
  @inline(__always)
  package func value(packed: (UInt64, UInt64)) -> Value? {
    node?.slot(packed: packed)?.pointee
  }

  /// The value under an integer key.
  @inline(__always)
  package func value(int: Int64) -> Value? {
    node?.slot(int: int)?.pointee
  }

  /// The value under a text key.
  @inline(__always)
  package func value(_ text: Text) -> Value? {
    if let packed = text.packed { return value(packed: packed) }
    return node?.slot(PackedKey(text))?.pointee
  }

  /// The address of the value under a text key; valid as long as the map.
  @inline(__always)
  package func place(of text: Text) -> UnsafePointer<Value>? {
    guard let node else { return nil }
    if let packed = text.packed { return UnsafePointer(node.slot(packed: packed)) }
    return UnsafePointer(node.slot(PackedKey(text)))
  }

  private mutating func set(_ key: Key, _ value: Value) {
    let packed = PackedKey(key)
    guard let search = node?.search(packed) else {
      self = Map(key: key, value: value)
      return
    }
    if search.isFound {
      withNodeSlot(&node) { TreeEdits.replace($0, search.route, with: value) }
    } else {
      let division: TreeEdits.Division = search.position == count ? .atTheEnd : .inTheMiddle
      withNodeSlot(&node) {
        TreeEdits.insert($0, search.route, key: packed, value: value, division)
      }
    }
  }

  private mutating func remove(_ key: Key) {
    guard let search = node?.search(PackedKey(key)), search.isFound else { return }
    _ = TreeEdits.remove(&node, search.route)
  }
}

extension Node {
  /// The map's entry in this leaf.
  func entry(_ slot: Int) -> (key: Key, value: Value) {
    guard let keys else { preconditionFailure("a map's leaf has keys") }
    return (keys.key(at: slot), values[slot])
  }
}

// Sendable: a node is changed only by an edit that holds the sole reference to it, which
// `isKnownUniquelyReferenced` checks, so memory that two threads can reach is never written. A node
// can't conform itself, because `ManagedBuffer` can't be Sendable.
extension Map: @unchecked Sendable {}

extension Map: Equatable {
  /// Compares by content.
  ///
  /// Shared nodes are equal without being read.
  ///
  /// - Complexity: O(size of the parts that aren't shared).
  public static func == (left: Map, right: Map) -> Bool {
    Lockstep.areEqual(left.node, right.node)
  }
}

extension Map: Sequence {
  /// Iterates over the entries in key order, O(1) amortised for each step.
  public struct Iterator: IteratorProtocol, Sendable {
    private var walk: LeafWalk

    init(node: Node?) {
      walk = LeafWalk(root: node)
    }

    /// The next entry; nil at the end.
    public mutating func next() -> (key: Key, value: Value)? {
      guard walk.advance(), let leaf = walk.leaf else { return nil }
      return leaf.entry(walk.slot)
    }
  }

  /// Makes an iterator over the entries.
  public func makeIterator() -> Iterator {
    Iterator(node: node)
  }

  /// The number of entries, which is exact.
  public var underestimatedCount: Int { count }
}

extension Map: ExpressibleByDictionaryLiteral {
  /// Makes a map from a literal; the last of equal keys wins.
  @inlinable
  public init(dictionaryLiteral elements: (Key, Value)...) {
    // Inlinable, so that the compiler knows the count and makes no array for a single entry.
    if elements.count == 1 {
      self.init(key: elements[0].0, value: elements[0].1)
    } else {
      self.init(entries: elements)
    }
  }
}

/// The order of entries that become a map.
private enum EntryOrder {
  /// The number of entries up to which each is inserted into the order, which is quicker than
  /// sorting.
  private static let insertionMax = 16

  /// The indices of entries in the order of their keys, without those that a later entry replaces;
  /// nil if all keys ascend.
  static func indices(sorting entries: UnsafeBufferPointer<(Key, Value)>) -> [Int]? {
    let isAscending = entries.indices.dropFirst().allSatisfy {
      entries[$0 - 1].0 < entries[$0].0
    }
    if isAscending { return nil }
    if entries.count <= insertionMax { return indices(inserting: entries) }
    // A stable order, so that the last of several equal keys stays last.
    let sorted = entries.indices.sorted {
      entries[$0].0 == entries[$1].0 ? $0 < $1 : entries[$0].0 < entries[$1].0
    }
    var order: [Int] = []
    order.reserveCapacity(sorted.count)
    for index in sorted {
      if let last = order.last, entries[last].0 == entries[index].0 { order.removeLast() }
      order.append(index)
    }
    return order
  }

  private static func indices(inserting entries: UnsafeBufferPointer<(Key, Value)>) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(entries.count)
    for index in entries.indices {
      var place = order.count
      while place > 0, entries[index].0 < entries[order[place - 1]].0 { place -= 1 }
      if place > 0, entries[order[place - 1]].0 == entries[index].0 {
        order[place - 1] = index
      } else {
        order.insert(index, at: place)
      }
    }
    return order
  }
}
