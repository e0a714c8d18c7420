/// A persistent list of values, which shares structure with the lists it was made from.
///
/// A B+tree of nodes with up to 16 slots (see ``Map`` for why). A copy is O(1). A change copies the
/// nodes on the path to it, or changes them in place if no copy shares them. Positions begin at 0,
/// unlike Lua's.
public struct List {
  package var root: AnyObject? { node }
  var node: Node?

  /// Makes an empty list.
  public init() {
    node = nil
  }

  init(node: Node?) {
    self.node = node
  }

  /// The address of the value at a position counted from 1; valid as long as the list.
  func place(of index: Int64) -> UnsafePointer<Value>? {
    guard let node, index >= 1, index <= Int64(node.count) else { return nil }
    return UnsafePointer(node.slot(at: Int(index) &- 1))
  }

  /// Makes a list of the elements, in order.
  ///
  /// - Complexity: O(n).
  public init<S: Sequence>(_ elements: S) where S.Element == Value {
    let array = ContiguousArray(elements)
    self = array.withUnsafeBufferPointer { values in List(count: values.count) { values[$0] } }
  }

  /// The number of values.
  public var count: Int { node?.count ?? 0 }

  /// Whether the list is empty.
  public var isEmpty: Bool { node == nil }

  /// The value at a position, which must be in `0..<count`.
  ///
  /// - Complexity: O(log n). Setting copies the part of the path that other lists share.
  public subscript(position: Int) -> Value {
    get {
      guard let node, position >= 0, position < node.count else {
        preconditionFailure("position out of the list's range")
      }
      return node.slot(at: position).pointee
    }
    set {
      precondition(position >= 0 && position < count, "position out of the list's range")
      let route = node?.route(to: position) ?? Route()
      withNodeSlot(&node) { TreeEdits.replace($0, route, with: newValue) }
    }
  }

  /// Appends a value.
  ///
  /// - Complexity: O(log n).
  public mutating func append(_ value: Value) {
    insert(value, at: count)
  }

  /// Inserts a value before `position`, which must be in `0...count`.
  ///
  /// - Complexity: O(log n).
  public mutating func insert(_ value: Value, at position: Int) {
    precondition(position >= 0 && position <= count, "position out of the list's range")
    guard node != nil else {
      self = List(count: 1) { _ in value }
      return
    }
    let division: TreeEdits.Division = position == count ? .atTheEnd : .inTheMiddle
    let route = node?.route(to: position) ?? Route()
    withNodeSlot(&node) { TreeEdits.insert($0, route, key: nil, value: value, division) }
  }

  /// Removes and returns the value at `position`, which must be in `0..<count`.
  ///
  /// - Complexity: O(log n).
  @discardableResult
  public mutating func remove(at position: Int) -> Value {
    precondition(position >= 0 && position < count, "position out of the list's range")
    let route = node?.route(to: position) ?? Route()
    guard let value = TreeEdits.remove(&node, route) else {
      preconditionFailure("a list with a count has a node")
    }
    return value
  }

  /// Removes and returns the last value; the list must not be empty.
  ///
  /// - Complexity: O(log n).
  @discardableResult
  public mutating func removeLast() -> Value {
    remove(at: count - 1)
  }

  /// The position of the first value that `isBehind` returns true for, in a list where it returns
  /// true for all values that follow such a value; ``count`` if there is none.
  ///
  /// - Complexity: O(log n).
  package func firstPosition(where isBehind: (borrowing Value) -> Bool) -> Int {
    node.map { SortedSearch.position(in: $0, isBehind) } ?? 0
  }

  /// Whether both are the same node, and therefore equal.
  ///
  /// O(1).
  package func isIdentical(to other: List) -> Bool {
    node === other.node
  }
}

/// The search for the first value that a predicate is true for, in a tree where it is true for all
/// values that follow such a value.
private enum SortedSearch {
  /// The position of the value in the subtree of a node; the number of values if there is none.
  ///
  /// - Complexity: O(log n).
  static func position(in node: Node, _ isBehind: (borrowing Value) -> Bool) -> Int {
    if node.height == 0 { return firstSlot(of: node, isBehind) { node.values + $0 } }
    let slot = firstSlot(of: node, isBehind) { node.child($0).slot(at: 0) }
    // The value may stand in the subtree before the first that begins behind.
    guard slot > 0 else { return 0 }
    var passed = 0
    for index in 0..<(slot - 1) { passed += node.children[index].count }
    return passed + position(in: node.child(slot - 1), isBehind)
  }

  /// The first slot whose value, or first value, is behind; the number of slots if none is.
  private static func firstSlot(
    of node: Node, _ isBehind: (borrowing Value) -> Bool,
    _ place: (Int) -> UnsafeMutablePointer<Value>
  ) -> Int {
    var (low, high) = (0, node.slotCount)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(place(middle).pointee) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Passes the address of the node, which must exist.
@inline(__always)
func withNodeSlot<R: ~Copyable>(
  _ node: inout Node?, _ body: (NodeSlot) throws -> R
) rethrows -> R {
  // An optional reference that isn't nil has the layout of a reference. Callers check that.
  try withUnsafeMutablePointer(to: &node) {
    try body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: Node.self))
  }
}

// Sendable: a node is changed only by an edit that holds the sole reference to it, which
// `isKnownUniquelyReferenced` checks, so memory that two threads can reach is never written. A node
// can't conform itself, because `ManagedBuffer` can't be Sendable.
extension List: @unchecked Sendable {}

extension List: Equatable {
  /// Compares by content.
  ///
  /// Shared nodes are equal without being read.
  ///
  /// - Complexity: O(size of the parts that aren't shared).
  public static func == (left: List, right: List) -> Bool {
    Lockstep.areEqual(left.node, right.node)
  }
}

extension List: RandomAccessCollection {
  /// Iterates over the values in order, O(1) amortised for each step.
  public struct Iterator: IteratorProtocol, Sendable {
    private var walk: LeafWalk

    init(node: Node?) {
      walk = LeafWalk(root: node)
    }

    /// The next value; nil at the end.
    public mutating func next() -> Value? {
      guard walk.advance(), let leaf = walk.leaf else { return nil }
      return leaf.values[walk.slot]
    }
  }

  /// Makes an iterator over the values.
  public func makeIterator() -> Iterator {
    Iterator(node: node)
  }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The count.
  public var endIndex: Int { count }
}

extension List: ExpressibleByArrayLiteral {
  /// Makes a list from a literal.
  public init(arrayLiteral elements: Value...) {
    self.init(elements)
  }
}
