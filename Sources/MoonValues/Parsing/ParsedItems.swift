/// The items of the lists and maps that a parser has begun, those of the innermost last.
///
/// Lists and maps take their values over from here, so that no value is copied and no list or map
/// has an array of its own while it is read.
struct ParsedItems: ~Copyable {
  /// The number of items before those of a list or map.
  struct Mark {
    fileprivate let valueCount: Int
    fileprivate let keyCount: Int
  }

  private var values = Stack<Value>()
  private var keys = Stack<PackedKey>()
  private var known = KnownBlocks()

  /// The mark for a list or map that begins now.
  var mark: Mark { Mark(valueCount: values.count, keyCount: keys.count) }

  mutating func append(_ value: consuming Value) { values.append(value) }

  /// Appends the key of the next value; returns whether it is greater than the last one since
  /// `mark`.
  mutating func append(_ key: consuming PackedKey, after mark: Mark) -> Bool {
    let isGreater =
      keys.count == mark.keyCount || keys.top(from: keys.count &- 1)[0].precedes(key)
    keys.append(key)
    return isGreater
  }

  /// Removes the values since a mark and makes a list of them.
  mutating func takeList(from mark: Mark) -> List {
    let count = values.count &- mark.valueCount
    let list = List(moving: values.top(from: mark.valueCount), count: count)
    values.forgetTop(from: mark.valueCount)
    return list
  }

  /// Removes the entries since a mark, whose keys ascend, and makes a map of them.
  mutating func takeMap(from mark: Mark) -> Map {
    let count = values.count &- mark.valueCount
    let keys = keys.top(from: mark.keyCount)
    let map = Map(moving: values.top(from: mark.valueCount), count: count) { range in
      known.block(of: UnsafeBufferPointer(start: keys + range.lowerBound, count: range.count))
    }
    values.forgetTop(from: mark.valueCount)
    self.keys.removeTop(from: mark.keyCount)
    return map
  }

  /// Removes the entries since a mark and returns them in their order.
  mutating func takeEntries(from mark: Mark) -> [(key: Key, value: Value)] {
    let count = values.count - mark.valueCount
    let keys = keys.top(from: mark.keyCount)
    let values = values.top(from: mark.valueCount)
    let entries = (0..<count).map { (key: keys[$0].key, value: values[$0]) }
    self.values.removeTop(from: mark.valueCount)
    self.keys.removeTop(from: mark.keyCount)
    return entries
  }
}

/// A stack in memory of its own, whose top can be taken over.
private struct Stack<Element>: ~Copyable {
  private static var capacityMin: Int { 16 }

  private(set) var count = 0
  private var capacity = 0
  private var base: UnsafeMutablePointer<Element>?

  deinit {
    base?.deinitialize(count: count)
    base?.deallocate()
  }

  mutating func append(_ element: consuming Element) {
    if count == capacity { grow() }
    top(from: count).initialize(to: element)
    count &+= 1
  }

  /// The address of the elements from a number on, of which there is memory for one at least.
  func top(from start: Int) -> UnsafeMutablePointer<Element> {
    guard let base else { preconditionFailure("a stack with elements has memory") }
    return base + start
  }

  /// Shortens the stack by elements that were moved out.
  mutating func forgetTop(from start: Int) { count = start }

  mutating func removeTop(from start: Int) {
    top(from: start).deinitialize(count: count &- start)
    count = start
  }

  @inline(never)
  private mutating func grow() {
    let larger = max(Self.capacityMin, 2 * capacity)
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    if let base {
      memory.moveInitialize(from: base, count: count)
      base.deallocate()
    }
    base = memory
    capacity = larger
  }
}

/// The key blocks of a few maps of a text, which maps with the same keys share.
private struct KnownBlocks: ~Copyable {
  private var blocks = InlineArray<8, KeyBlock?>(repeating: nil)

  /// The block of keys, at most as many as one node holds.
  mutating func block(of keys: UnsafeBufferPointer<PackedKey>) -> KeyBlock {
    let words = keys[0].high ^ keys[0].low ^ UInt64(truncatingIfNeeded: keys.count)
    // Fibonacci hashing (Knuth): the high bits of the product depend on all bits of the words.
    // Three of them are the number of a place.
    let place = Int(truncatingIfNeeded: (words &* 0x9E37_79B9_7F4A_7C15) &>> 61)
    if let block = blocks[place], block.hasSameKeys(as: keys) { return block }
    let block = KeyBlock.make(capacity: keys.count)
    for key in keys { block.append(key) }
    blocks[place] = block
    return block
  }
}

extension KeyBlock {
  /// Whether these are the keys, none of which has its bytes outside of the block.
  fileprivate func hasSameKeys(as keys: UnsafeBufferPointer<PackedKey>) -> Bool {
    guard count == keys.count else { return false }
    for index in 0..<keys.count {
      let kind: PackedKey.Kind = index < intCount ? .int : .string
      let entry = words[index]
      guard entry.high == keys[index].high, entry.low == keys[index].low, !entry.isLarge,
        kind == keys[index].kind
      else { return false }
    }
    return true
  }
}

extension PackedKey {
  /// Whether it comes before another key in key order.
  fileprivate func precedes(_ other: PackedKey) -> Bool {
    if kind != other.kind { return kind == .int }
    if high != other.high { return high < other.high }
    if low != other.low { return low < other.low }
    guard let large, let otherLarge = other.large else { return false }
    return large.precedes(otherLarge)
  }

  fileprivate var key: Key {
    if kind == .int { return .int(Int64(bitPattern: high ^ (1 << 63))) }
    if let large { return .string(Text(storage: .large(large))) }
    return .string(Text(packed: (high, low)))
  }
}
