/// The address of a strong reference to a node, which an edit may overwrite.
typealias NodeSlot = UnsafeMutablePointer<Node>

/// An inner node's view of a child.
struct Child {
  var node: Node
  var count: Int
}

/// A node of the B+tree that lists and maps share: a leaf of values or an inner node of children.
///
/// One class with a tail of raw words, so that a child needs no cast and a tree is one reference. A
/// node is changed only by an edit that holds the sole reference to it.
final class Node: ManagedBuffer<NodeHeader, UInt64> {
  /// The maximum number of values or children of a node.
  ///
  /// Measured: changing one of 10,000 values costs the same with 8 and 40 % more with 32, but with
  /// 8, appending takes 50 % more and changing a list of 1,000 is slower.
  static let widthMax = 16
  /// The minimum number of slots; with fewer, a removal balances the node with a neighbour.
  static let widthMin = 8

  static func makeLeaf(capacity: Int, keys: KeyBlock?) -> Node {
    make(NodeShape(slotMax: capacity, height: 0), keys: keys, size: .zero)
  }

  static func makeInner(height: Int, keys: KeyBlock?) -> Node {
    make(NodeShape(slotMax: widthMax, height: height), keys: keys, size: .zero)
  }

  /// A node whose slots, as many as the shape says, must be initialized before any other use.
  private static func make(_ shape: NodeShape, keys: KeyBlock?, size: Size) -> Node {
    let stride = shape.height == 0 ? MemoryLayout<Value>.stride : MemoryLayout<Child>.stride
    let wordCount = shape.slotMax &* (stride / MemoryLayout<UInt64>.stride)
    let buffer = Node.create(minimumCapacity: wordCount) { _ in
      NodeHeader(keys: keys, size: size, shape: shape)
    }
    return unsafeDowncast(buffer, to: Node.self)
  }

  deinit {
    if height == 0 {
      values.deinitialize(count: slotCount)
    } else {
      children.deinitialize(count: slotCount)
    }
  }

  var address: UnsafeMutablePointer<NodeHeader> {
    @inline(__always) get { withUnsafeMutablePointerToHeader { $0 } }
  }

  /// The keys of a map's leaf, or in an inner node a lower bound of each child's keys that is above
  /// all keys of the previous child; nil in a list.
  var keys: KeyBlock? {
    @inline(__always) get { address.pointee.keys }
    set { address.pointee.keys = newValue }
  }

  /// The number of values below.
  var count: Int {
    get { address.pointee.shape.count }
    set { address.pointee.shape.count = newValue }
  }

  /// The size of all items below, each with its key and a comma after it.
  var size: Size {
    get { address.pointee.size }
    set { address.pointee.size = newValue }
  }

  /// The number of values (in a leaf) or children of this node.
  var slotCount: Int {
    @inline(__always) get { address.pointee.shape.slotCount }
    set { address.pointee.shape.slotCount = newValue }
  }

  /// The capacity in slots.
  var slotMax: Int { address.pointee.shape.slotMax }

  /// 0 in a leaf.
  var height: Int {
    @inline(__always) get { address.pointee.shape.height }
  }

  /// The values of a leaf.
  var values: UnsafeMutablePointer<Value> {
    @inline(__always) get {
      withUnsafeMutablePointerToElements {
        UnsafeMutableRawPointer($0).assumingMemoryBound(to: Value.self)
      }
    }
  }

  /// The children of an inner node.
  var children: UnsafeMutablePointer<Child> {
    @inline(__always) get {
      withUnsafeMutablePointerToElements {
        UnsafeMutableRawPointer($0).assumingMemoryBound(to: Child.self)
      }
    }
  }

  /// The address of an inner node's reference to a child.
  @inline(__always)
  func childSlot(_ index: Int) -> NodeSlot {
    // The reference is a child's first field and has the layout of a strong one.
    UnsafeMutableRawPointer(children + index).assumingMemoryBound(to: Node.self)
  }

  func child(_ index: Int) -> Node { children[index].node }
}

// MARK: Filling a node before it is shared

extension Node {
  /// Appends a value to a leaf without updating the size.
  @inline(__always)
  func append(_ value: consuming Value) {
    (values + slotCount).initialize(to: value)
    slotCount &+= 1
    count &+= 1
  }

  func append(child: consuming Node) {
    let childCount = child.count
    size += child.size
    (children + slotCount).initialize(to: Child(node: child, count: childCount))
    slotCount &+= 1
    count += childCount
  }

  /// Appends copies of the slots of another node of the same height.
  func append(_ other: Node, _ range: Range<Int>) {
    appendSlots(of: other, range)
    if range.count == other.slotCount {
      size += other.size
    } else {
      size += other.measured(range)
    }
  }

  /// Appends copies of another node's slots without updating the size.
  func appendSlots(of other: Node, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let start = slotCount
    if height == 0 {
      (values + start).initialize(from: other.values + range.lowerBound, count: range.count)
      count &+= range.count
    } else {
      (children + start).initialize(from: other.children + range.lowerBound, count: range.count)
      for index in range { count += other.children[index].count }
    }
    slotCount &+= range.count
  }

  /// An empty node for the same kind of slots.
  func makeSibling(slotCount: Int, keys: KeyBlock?) -> Node {
    height == 0
      ? Node.makeLeaf(capacity: slotCount, keys: keys)
      : Node.makeInner(height: height, keys: keys)
  }

  /// A copy of some slots.
  func slice(_ range: Range<Int>) -> Node {
    let node = makeSibling(slotCount: range.count, keys: keys?.slice(range))
    node.append(self, range)
    return node
  }

  /// A copy with the same keys.
  func copy() -> Node {
    let node = makeSibling(slotCount: slotCount, keys: keys)
    node.append(self, 0..<slotCount)
    return node
  }
}
