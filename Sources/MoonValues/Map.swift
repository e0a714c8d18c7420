/// Values by key: a persistent sorted map that shares what it can with the maps it was made from.
///
/// A B+tree of our own rather than a hash trie: iteration has a defined order, so that a script's
/// `pairs` is the same everywhere; canonical text needs no sorting; two versions are compared by
/// walking both and skipping what they share; and there is no hash to flood or to seed. Nodes have
/// up to 16 slots, so a small record is one flat node, and keep their keys apart from their values,
/// so that changing a value shares all the keys.
///
/// A copy is O(1); a change copies the nodes on the path to what changed, or changes them in place
/// where no copy shares them. Integer and text keys may be mixed here.
public struct Map {
  package var root: AnyObject? { node }
  var node: Node?

  /// Makes an empty map.
  @inline(__always)
  public init() {
    node = nil
  }

  init(node: Node?) {
    self.node = node
  }

  /// Makes a map of pairs in any order; the last of equal keys wins.
  ///
  /// - Complexity: O(n log n).
  public init(_ pairs: some Sequence<(Key, Value)>) {
    var entries: [(key: Key, value: Value)] = []
    for (key, value) in pairs { entries.append((key, value)) }
    var isAscending = true
    for index in entries.indices.dropFirst() where isAscending {
      isAscending = entries[index - 1].key < entries[index].key
    }
    if !isAscending {
      // A stable order, so that of equal keys the last one is the last.
      let order = entries.indices.sorted {
        entries[$0].key == entries[$1].key ? $0 < $1 : entries[$0].key < entries[$1].key
      }
      var unique: [(key: Key, value: Value)] = []
      for index in order {
        if unique.last?.key == entries[index].key { unique.removeLast() }
        unique.append(entries[index])
      }
      entries = unique
    }
    self.init(uniqueSorted: entries)
  }

  /// Makes a map of entries whose keys the caller knows to be unique and ascending.
  ///
  /// - Complexity: O(n).
  package init(uniqueSorted entries: [(key: Key, value: Value)]) {
    node = entries.withUnsafeBufferPointer { Node.map($0) }
  }

  /// Makes a map of entries whose keys the caller knows to be unique and ascending.
  ///
  /// - Complexity: O(n).
  package init(uniqueSorted entries: UnsafeBufferPointer<(key: Key, value: Value)>) {
    node = Node.map(entries)
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
  public var count: Int {
    @inline(__always) get { node?.count ?? 0 }
  }

  /// Whether there are no entries.
  public var isEmpty: Bool { node == nil }

  /// The value under a key, nil if there is none; setting nil removes the entry.
  ///
  /// - Complexity: O(log n); setting costs a copy of the path that other maps share.
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

  /// The value under a text key, nil if there is none.
  ///
  /// - Complexity: O(log n).
  public subscript(_ name: String) -> Value? { value(Text(name)) }

  /// Where the key is in key order, nil if it isn't there.
  ///
  /// - Complexity: O(log n).
  public func position(of key: Key) -> Int? {
    guard let search = node?.search(PackedKey(key)), search.isFound else { return nil }
    return search.position
  }

  /// The position of the first entry whose key is greater than `key`, which may be absent.
  ///
  /// Answers ``count`` if there is none.
  ///
  /// - Complexity: O(log n).
  public func firstPosition(after key: Key) -> Int {
    guard let search = node?.search(PackedKey(key)) else { return 0 }
    return search.position + (search.isFound ? 1 : 0)
  }

  /// The entry at a position in key order, which must be in `0..<count`.
  ///
  /// - Complexity: O(log n).
  public func entry(at position: Int) -> (key: Key, value: Value) {
    guard let node, position >= 0, position < node.count else {
      preconditionFailure("position out of the map's range")
    }
    let (leaf, slot) = node.leaf(holding: position)
    return leaf._withUnsafeGuaranteedRef { $0.entry(slot) }
  }

  /// Replaces the value of the entry at a position, which must be in `0..<count`.
  ///
  /// - Complexity: O(log n), and a copy of the path that other maps share.
  public mutating func replaceValue(at position: Int, with value: Value) {
    precondition(position >= 0 && position < count, "position out of the map's range")
    let route = node?.route(to: position) ?? Route()
    withNodeSlot(&node) { TreeEdits.replace($0, route, with: value) }
  }

  /// The keys in their order.
  ///
  /// - Complexity: O(n).
  public var keys: [Key] { map(\.key) }

  /// Whether both are the same node, so that they are surely equal.
  ///
  /// O(1).
  @inline(__always)
  public func isIdentical(to other: Map) -> Bool {
    node === other.node
  }

  /// The value under a small text key given by its packed words.
  @inline(__always)
  package func value(packed: (UInt64, UInt64)) -> Value? {
    node?.value(packed: packed)
  }

  /// The value under an integer key.
  @inline(__always)
  package func value(int: Int64) -> Value? {
    node?.value(int: int)
  }

  /// The value under a text key.
  @inline(__always)
  package func value(_ text: Text) -> Value? {
    if let packed = text.packed { return value(packed: packed) }
    return node?.value(PackedKey(text))
  }

  /// Where the value under a text key lies; good as long as the map.
  @inline(__always)
  func place(of text: Text) -> UnsafePointer<Value>? {
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
  /// A map's entry in this leaf.
  @inline(__always)
  func entry(_ slot: Int) -> (key: Key, value: Value) {
    guard let keys else { preconditionFailure("a map's leaf has keys") }
    return (keys.key(at: slot), values[slot])
  }
}

// Sendable: a node is only changed by an edit that holds the sole reference to it, as
// `isKnownUniquelyReferenced` tells, so what two threads can reach is never written; a node
// can't say so itself, as `ManagedBuffer` is barred from the protocol.
extension Map: @unchecked Sendable {}

extension Map: Equatable {
  /// Compares by content; shared nodes are taken as equal without a look inside.
  ///
  /// - Complexity: O(size of what isn't shared).
  public static func == (left: Map, right: Map) -> Bool {
    Lockstep.areEqual(left.node, right.node)
  }
}

extension Map: Sequence {
  /// Walks the entries in key order, O(1) amortised a step.
  public struct Iterator: IteratorProtocol, Sendable {
    private var walk: LeafWalk

    init(node: Node?) {
      walk = LeafWalk(root: node)
    }

    /// The next entry, nil at the end.
    public mutating func next() -> (key: Key, value: Value)? {
      guard walk.advance(), let leaf = walk.leaf else { return nil }
      return leaf.entry(walk.slot)
    }
  }

  /// Makes an iterator over the entries.
  public func makeIterator() -> Iterator {
    Iterator(node: node)
  }

  /// The number of entries, as it is known.
  public var underestimatedCount: Int { count }
}

extension Map: ExpressibleByDictionaryLiteral {
  /// Makes a map of a literal; the last of equal keys wins.
  @inlinable
  public init(dictionaryLiteral elements: (Key, Value)...) {
    // Inlined, so that the compiler sees how many there are and makes no array for a single entry:
    // an action with a payload of one takes 500 instructions less, and an allocation.
    if elements.count == 1 {
      self.init(key: elements[0].0, value: elements[0].1)
    } else {
      self.init(literal: elements)
    }
  }

  @usableFromInline
  init(literal elements: [(Key, Value)]) { self.init(elements) }
}
