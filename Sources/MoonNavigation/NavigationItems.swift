import MoonValues

/// The items of a container, in order.
///
/// A copy is O(1). Adding or removing at the end, and replacing one of the last items, copy one
/// chunk of items and share the others, so that a step on a long stack costs the same as one on a
/// short stack. Other changes are O(n).
public struct NavigationItems: Sendable {
  /// The number of items in each chunk but the last, which may have fewer.
  private static let chunkMax = 16

  /// What a container needs to know about all of its items.
  private struct Summary {
    /// The number of screens and containers in the items.
    var nodeCount = 0
    /// The largest ``NavigationNode/height`` of an item; 0 if there is none.
    var height = 0
    var areScreens = true

    mutating func add(_ other: Summary) {
      nodeCount += other.nodeCount
      height = Swift.max(height, other.height)
      areScreens = areScreens && other.areScreens
    }

    mutating func add(_ item: NavigationNode) {
      add(Summary(nodeCount: item.count, height: item.height, areScreens: item.isScreen))
    }
  }

  /// An immutable run of items.
  private final class Chunk: Sendable {
    let items: [NavigationNode]
    let summary: Summary

    convenience init(_ items: [NavigationNode]) {
      self.init(items, items.reduce(into: Summary()) { $0.add($1) })
    }

    private init(_ items: [NavigationNode], _ summary: Summary) {
      (self.items, self.summary) = (items, summary)
    }

    /// Returns a chunk with one more item.
    func appending(_ item: NavigationNode) -> Chunk {
      var summary = summary
      summary.add(item)
      return Chunk(items + [item], summary)
    }
  }

  /// All chunks but the last, which have as many items as a chunk can have.
  private final class FullChunks: Sendable {
    let chunks: [Chunk]
    let summary: Summary

    init(_ chunks: [Chunk]) {
      self.chunks = chunks
      summary = chunks.reduce(into: Summary()) { $0.add($1.summary) }
    }
  }

  // Apart from the last chunk, so that most steps copy none of the others' references.
  private var full: FullChunks?
  /// The last chunk; nil if there are no items.
  private var last: Chunk?
  /// The number of items.
  public private(set) var count = 0
  /// The values of the items.
  private(set) var values = List()

  /// Makes an empty collection.
  public init() {}

  /// All chunks.
  private var chunks: [Chunk] {
    get { last.map { fullChunks + [$0] } ?? [] }
    set {
      full = newValue.count > 1 ? FullChunks(Array(newValue.dropLast())) : nil
      last = newValue.last
    }
  }

  private var fullChunks: [Chunk] { full?.chunks ?? [] }

  private func chunk(_ index: Int) -> Chunk? {
    guard let full else { return index == 0 ? last : nil }
    if index < full.chunks.count { return full.chunks[index] }
    return index == full.chunks.count ? last : nil
  }

  private var summary: Summary {
    var summary = full?.summary ?? Summary()
    if let last { summary.add(last.summary) }
    return summary
  }

  /// The number of screens and containers in all items.
  var nodeCount: Int { summary.nodeCount }

  /// The largest ``NavigationNode/height`` of an item; 0 if there is none.
  var height: Int { summary.height }

  /// Whether all items are screens.
  var areScreens: Bool { summary.areScreens }

  /// Returns the number of identical items at the beginning of both.
  ///
  /// - Complexity: O(chunks), if the others are where they were.
  func sharedCount(with other: NavigationItems) -> Int {
    // Loops, since `prefix` makes arrays, which took half of what a deep stack cost.
    var same = 0
    if full === other.full {
      same = fullChunks.count
    } else if let full {
      while same < full.chunks.count, full.chunks[same] === other.chunk(same) { same += 1 }
    }
    guard let own = chunk(same)?.items, let others = other.chunk(same)?.items else {
      return Swift.min(count, other.count)
    }
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
    get {
      guard let chunk = chunk(position / Self.chunkMax) else {
        preconditionFailure("position out of the items' range")
      }
      return chunk.items[position % Self.chunkMax]
    }
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
    if let last, last.items.count < Self.chunkMax {
      self.last = last.appending(node)
    } else {
      chunks += [Chunk([node])]
    }
  }

  /// Removes and returns the last item; there must be one.
  ///
  /// - Complexity: O(1); copies one chunk.
  @discardableResult
  public mutating func removeLast() -> NavigationNode {
    guard let items = last?.items, let item = items.last else {
      preconditionFailure("no items to remove the last of")
    }
    values.removeLast()
    count -= 1
    if items.count > 1 {
      last = Chunk(items.dropLast())
    } else {
      chunks = fullChunks
    }
    return item
  }

  /// Replaces the items in a range.
  ///
  /// - Complexity: O(new items) at the end, or if as many items are replaced; else O(n).
  public mutating func replaceSubrange(
    _ range: Range<Int>, with new: some Collection<NavigationNode>
  ) {
    replaceValues(range, with: new)
    var chunks = chunks
    let added = new.count - range.count
    let first = range.lowerBound / Self.chunkMax
    // Chunks after the range stay as they are if no item in them moves.
    let keepsRest = added == 0 && !range.isEmpty
    let last = keepsRest ? (range.upperBound - 1) / Self.chunkMax + 1 : chunks.count
    let start = first * Self.chunkMax
    var items = chunks[first..<last].flatMap(\.items)
    items.replaceSubrange((range.lowerBound - start)..<(range.upperBound - start), with: new)
    chunks.replaceSubrange(first..<last, with: Self.chunks(of: items))
    self.chunks = chunks
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
    if left.full === right.full, left.last === right.last { return true }
    return zip(left.chunks, right.chunks).allSatisfy { $0 === $1 || $0.items == $1.items }
  }
}

extension NavigationItems: ExpressibleByArrayLiteral {
  /// Makes a collection from a literal.
  public init(arrayLiteral elements: NavigationNode...) {
    self.init(elements)
  }
}
