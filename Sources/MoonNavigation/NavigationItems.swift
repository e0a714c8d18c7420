import MoonValues

/// The items of a container, in order.
///
/// A copy is O(1). Adding or removing at the end, and replacing one item, copy one chunk of items
/// and share the others, so that a step on a long stack costs the same as one on a short stack.
/// Other changes are O(n).
public struct NavigationItems: Sendable {
  /// The number of items in each chunk but the last, which may have fewer.
  private static let chunkMax = 32

  /// An immutable run of items, with what its container needs to know about all of them.
  private final class Chunk: Sendable {
    let items: [NavigationNode]
    /// The number of screens and containers in the items.
    let nodeCount: Int
    /// The largest ``NavigationNode/height`` of an item.
    let height: Int
    let areScreens: Bool

    init(_ items: [NavigationNode]) {
      self.items = items
      var (nodeCount, height, areScreens) = (0, 0, true)
      for item in items {
        nodeCount += item.count
        height = Swift.max(height, item.height)
        areScreens = areScreens && item.isScreen
      }
      (self.nodeCount, self.height, self.areScreens) = (nodeCount, height, areScreens)
    }
  }

  private var chunks: [Chunk] = []
  /// The number of items.
  public private(set) var count = 0
  /// The values of the items.
  private(set) var values = List()

  /// Makes an empty collection.
  public init() {}

  /// The number of screens and containers in all items.
  var nodeCount: Int { chunks.reduce(0) { $0 + $1.nodeCount } }

  /// The largest ``NavigationNode/height`` of an item; 0 if there is none.
  var height: Int { chunks.reduce(0) { Swift.max($0, $1.height) } }

  /// Whether all items are screens.
  var areScreens: Bool { chunks.allSatisfy(\.areScreens) }

  /// Returns the number of identical items at the beginning of both.
  ///
  /// - Complexity: O(chunks), if the others are where they were.
  func sharedCount(with other: NavigationItems) -> Int {
    let chunkCount = Swift.min(chunks.count, other.chunks.count)
    // Loops, since `prefix` makes arrays, which took half of what a deep stack cost.
    var same = 0
    while same < chunkCount, chunks[same] === other.chunks[same] { same += 1 }
    guard same < chunkCount else { return Swift.min(count, other.count) }
    let (own, others) = (chunks[same].items, other.chunks[same].items)
    var index = 0
    while index < own.count, index < others.count, own[index].isIdentical(to: others[index]) {
      index += 1
    }
    return same * Self.chunkMax + index
  }
}

extension NavigationItems: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The count.
  public var endIndex: Int { count }

  /// The item at a position, which must be in `0..<count`.
  ///
  /// - Complexity: O(1); setting copies one chunk.
  public subscript(position: Int) -> NavigationNode {
    get { chunks[position / Self.chunkMax].items[position % Self.chunkMax] }
    set { replaceSubrange(position..<(position + 1), with: CollectionOfOne(newValue)) }
  }

  /// Makes a collection of the items, in order.
  public init(_ items: some Sequence<NavigationNode>) {
    let items = Array(items)
    chunks = Self.chunks(of: items)
    count = items.count
    values = List(items.map(\.value))
  }

  /// Appends items.
  public mutating func append(contentsOf new: some Sequence<NavigationNode>) {
    replaceSubrange(count..<count, with: Array(new))
  }

  /// Appends an item.
  ///
  /// - Complexity: O(1); copies one chunk.
  public mutating func append(_ node: NavigationNode) {
    values.append(node.value)
    count += 1
    if let last = chunks.last, last.items.count < Self.chunkMax {
      chunks[chunks.count - 1] = Chunk(last.items.appending(node))
    } else {
      chunks.append(Chunk([node]))
    }
  }

  /// Removes and returns the last item; there must be one.
  ///
  /// - Complexity: O(1); copies one chunk.
  @discardableResult
  public mutating func removeLast() -> NavigationNode {
    let last = chunks[chunks.count - 1].items
    values.removeLast()
    count -= 1
    if last.count > 1 {
      chunks[chunks.count - 1] = Chunk(Array(last[..<(last.count - 1)]))
    } else {
      chunks.removeLast()
    }
    return last[last.count - 1]
  }

  /// Replaces the items in a range.
  ///
  /// - Complexity: O(new items) at the end, or if as many items are replaced; else O(n).
  public mutating func replaceSubrange(
    _ range: Range<Int>, with new: some Collection<NavigationNode>
  ) {
    replaceValues(range, with: new)
    let added = new.count - range.count
    let first = range.lowerBound / Self.chunkMax
    // Chunks after the range stay as they are if no item in them moves.
    let keepsRest = added == 0 && !range.isEmpty
    let last = keepsRest ? (range.upperBound - 1) / Self.chunkMax + 1 : chunks.count
    let start = first * Self.chunkMax
    var items = chunks[first..<last].flatMap(\.items)
    items.replaceSubrange((range.lowerBound - start)..<(range.upperBound - start), with: new)
    chunks.replaceSubrange(first..<last, with: Self.chunks(of: items))
    count += added
  }

  private static func chunks(of items: [NavigationNode]) -> [Chunk] {
    stride(from: 0, to: items.count, by: chunkMax).map {
      Chunk(Array(items[$0..<Swift.min($0 + chunkMax, items.count)]))
    }
  }

  private mutating func replaceValues(
    _ range: Range<Int>, with new: some Collection<NavigationNode>
  ) {
    if range.count == new.count {
      for (index, node) in zip(range, new) { values[index] = node.value }
    } else if range.upperBound == count, count > 0 {
      for _ in range { values.removeLast() }
      for node in new { values.append(node.value) }
    } else {
      let kept = (self[..<range.lowerBound].map(\.value), self[range.upperBound...].map(\.value))
      values = List(kept.0 + new.map(\.value) + kept.1)
    }
  }
}

extension NavigationItems: Equatable {
  /// Compares the items; parts that both share cost nothing.
  public static func == (left: NavigationItems, right: NavigationItems) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left.chunks, right.chunks).allSatisfy { $0 === $1 || $0.items == $1.items }
  }
}

extension NavigationItems: ExpressibleByArrayLiteral {
  /// Makes a collection from a literal.
  public init(arrayLiteral elements: NavigationNode...) {
    self.init(elements)
  }
}

extension Array {
  /// The elements and one more, in an array made for that many.
  fileprivate func appending(_ element: Element) -> [Element] {
    var all: [Element] = []
    all.reserveCapacity(count + 1)
    all += self
    all.append(element)
    return all
  }
}
