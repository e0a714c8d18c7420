/// A key in the format of a key block: two words that order most keys, and the bytes for the
/// others.
struct PackedKey {
  enum Kind {
    case int
    case string
  }

  let kind: Kind
  let high: UInt64
  let low: UInt64
  let large: LargeText?

  init(int: Int64) {
    kind = .int
    // The flipped sign makes unsigned order the order of integers.
    high = UInt64(bitPattern: int) ^ (1 << 63)
    low = 0
    large = nil
  }

  @inline(__always)
  init(packed: (UInt64, UInt64)) {
    kind = .string
    high = packed.0
    low = packed.1
    large = nil
  }

  init(_ text: Text) {
    kind = .string
    switch text.storage {
    case .small(let high, let low):
      self.high = high
      self.low = low
      large = nil
    case .large(let large):
      (high, low) = large.orderingWords
      self.large = large
    }
  }

  init(_ key: Key) {
    switch key {
    case .int(let integer): self.init(int: integer)
    case .string(let text): self.init(text)
    }
  }
}

@usableFromInline
struct KeyWords: Equatable, Sendable {
  @usableFromInline var high: UInt64
  @usableFromInline var low: UInt64

  /// Whether the bytes continue in the block's large texts.
  var isLarge: Bool { low & 0xFF == 0xFF }
}

struct KeyBlockHeader {
  var count: Int32
  var intCount: Int16
  /// The large texts among the keys, in order; nil if there are none, which makes freeing cheap.
  var larges: [LargeText]?
}

/// The sorted keys of one node, shared by every version of the node that has the same keys.
///
/// Integers come first, so their count determines the kind of each key. A block is changed only
/// while it is built, before it is shared.
final class KeyBlock: ManagedBuffer<KeyBlockHeader, KeyWords> {
  static func make(capacity: Int) -> KeyBlock {
    let buffer = KeyBlock.create(minimumCapacity: capacity) { _ in
      KeyBlockHeader(count: 0, intCount: 0, larges: nil)
    }
    return unsafeDowncast(buffer, to: KeyBlock.self)
  }

  static func single(_ key: PackedKey) -> KeyBlock {
    let block = make(capacity: 1)
    block.append(key)
    return block
  }

  var address: UnsafeMutablePointer<KeyBlockHeader> {
    @inline(__always) get { withUnsafeMutablePointerToHeader { $0 } }
  }

  var words: UnsafeMutablePointer<KeyWords> {
    @inline(__always) get { withUnsafeMutablePointerToElements { $0 } }
  }

  var count: Int {
    @inline(__always) get { Int(address.pointee.count) }
  }

  var intCount: Int {
    @inline(__always) get { Int(address.pointee.intCount) }
  }

  func key(at index: Int) -> Key {
    let entry = words[index]
    if index < intCount { return .int(Int64(bitPattern: entry.high ^ (1 << 63))) }
    if entry.isLarge { return .string(Text(storage: .large(large(at: index)))) }
    return .string(Text(packed: (entry.high, entry.low)))
  }

  func packedKey(at index: Int) -> PackedKey {
    PackedKey(key(at: index))
  }

  private func large(at index: Int) -> LargeText {
    guard let larges = address.pointee.larges else {
      preconditionFailure("a large key has its text in the block")
    }
    return larges[largeCount(before: index)]
  }

  private func largeCount(before index: Int) -> Int {
    if address.pointee.larges == nil { return 0 }
    var rank = 0
    var position = intCount
    while position < index {
      if words[position].isLarge { rank += 1 }
      position += 1
    }
    return rank
  }
}

// MARK: Search

extension KeyBlock {
  /// The index of an integer key, or -1.
  @inline(__always)
  func index(int high: UInt64) -> Int {
    let end = intCount
    let words = words
    var index = 0
    while index < end {
      if words[index].high == high { return index }
      index &+= 1
    }
    return -1
  }

  /// The index of a small text key, or -1.
  @inline(__always)
  func index(high: UInt64, low: UInt64) -> Int {
    let end = count
    let words = words
    var index = intCount
    while index < end {
      if words[index].low == low && words[index].high == high { return index }
      index &+= 1
    }
    return -1
  }

  /// The number of keys before `key`, and whether the next one equals it.
  func lowerBound(_ key: PackedKey) -> (index: Int, isFound: Bool) {
    let words = words
    switch key.kind {
    case .int:
      let end = intCount
      var below = 0
      for index in 0..<end { below &+= words[index].high < key.high ? 1 : 0 }
      return (below, below < end && words[below].high == key.high)
    case .string:
      let end = count
      var below = intCount
      for index in intCount..<end {
        let entry = words[index]
        let isBelow =
          (entry.high < key.high) || (entry.high == key.high && entry.low < key.low)
        below &+= isBelow ? 1 : 0
      }
      guard let large = key.large else {
        return (
          below, below < end && words[below].high == key.high && words[below].low == key.low
        )
      }
      while below < end, words[below].high == key.high, words[below].low == key.low {
        let other = self.large(at: below)
        if other === large || other.hasSameBytes(as: large) { return (below, true) }
        if large.precedes(other) { break }
        below += 1
      }
      return (below, false)
    }
  }
}

extension KeyBlock {
  /// Whether `key` is less than all keys.
  func begins(after key: PackedKey) -> Bool {
    lowerBound(key) == (0, false)
  }
}

// MARK: Building

extension KeyBlock {
  func append(_ key: PackedKey) {
    let header = address
    let index = Int(header.pointee.count)
    words[index] = KeyWords(high: key.high, low: key.low)
    header.pointee.count &+= 1
    if key.kind == .int { header.pointee.intCount &+= 1 }
    if let large = key.large { header.pointee.larges = (header.pointee.larges ?? []) + [large] }
  }

  func append(_ other: KeyBlock, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let header = address
    (words + Int(header.pointee.count)).update(
      from: other.words + range.lowerBound, count: range.count)
    header.pointee.count += Int32(range.count)
    header.pointee.intCount += Int16(range.clamped(to: 0..<other.intCount).count)
    if let larges = other.address.pointee.larges {
      let ranks =
        other.largeCount(before: range.lowerBound)..<other.largeCount(before: range.upperBound)
      if !ranks.isEmpty { header.pointee.larges = (header.pointee.larges ?? []) + larges[ranks] }
    }
  }

  func inserting(_ key: PackedKey, at index: Int) -> KeyBlock {
    let block = KeyBlock.make(capacity: count + 1)
    block.append(self, 0..<index)
    block.append(key)
    block.append(self, index..<count)
    return block
  }

  func removing(at index: Int) -> KeyBlock {
    let block = KeyBlock.make(capacity: count - 1)
    block.append(self, 0..<index)
    block.append(self, (index + 1)..<count)
    return block
  }

  func replacing(at index: Int, with key: PackedKey) -> KeyBlock {
    let block = KeyBlock.make(capacity: count)
    block.append(self, 0..<index)
    block.append(key)
    block.append(self, (index + 1)..<count)
    return block
  }

  func slice(_ range: Range<Int>) -> KeyBlock {
    let block = KeyBlock.make(capacity: range.count)
    block.append(self, range)
    return block
  }
}
