import MoonValues

/// The edges of literals: an open-addressing hash table keyed by node and component.
struct SlotTable: Sendable {
  struct Slot {
    var word0: UInt64 = 0
    /// The words of a ``PathSegment``; those of a long one also have an offset into the pool, above
    /// the length.
    var word1: UInt64 = 0
    var parent: UInt32 = 0
    /// 0 if the slot is free.
    var child: UInt32 = 0

    var isLong: Bool { word1 >= PathSegment.longMark }
    var longCount: Int { Int(word1 & 0xFFFF) }
    var longOffset: Int { Int(word1 &>> 16 & 0xFFFF_FFFF) }
    /// The second word as in a segment with the same bytes.
    var hashedWord1: UInt64 { isLong ? PathSegment.longMark | word1 & 0xFFFF : word1 }
  }

  /// Set in `parent` for literals in groups, which are matched later.
  static let optionalMark: UInt32 = 1 << 31
  /// Set in `parent` for texts before parameters; the child is a node whose edges are those of the
  /// parameters.
  static let prefixMark: UInt32 = 1 << 30

  /// The maximum number of slots that a lookup visits.
  ///
  /// A table with a longer lookup is rebuilt with another seed, so that patterns chosen to collide
  /// can't make lookups linear.
  static let probeCountMax = 64

  /// The number of seeds that are tried before the table is enlarged.
  static let seedCountMax = 4

  private(set) var slots: [Slot]
  private(set) var count = 0
  private(set) var seed: UInt64
  private var seedNumber = 0
  /// The number of seeds tried since the table last grew for the number of its edges.
  private var trialCount = 0

  init() {
    slots = [Slot](repeating: Slot(), count: 16)
    seed = SlotTable.seed(0)
  }

  private init(holding others: [Slot], capacity: Int, seed: UInt64) {
    slots = [Slot](repeating: Slot(), count: capacity)
    self.seed = seed
    for slot in others where slot.child != 0 { place(slot) }
  }

  var byteCount: Int { slots.storedByteCount }

  /// Returns a number that depends on all bits of the node and the words.
  @inline(__always)
  static func index(
    _ word0: UInt64, _ word1: UInt64, _ parent: UInt32, seed: UInt64, capacity: Int
  ) -> Int {
    let first = word0 ^ (UInt64(parent) &* 0x9E37_79B9_7F4A_7C15)
    let product = (first ^ seed).multipliedFullWidth(by: word1 ^ 0xE703_7ED1_A0B4_28DB)
    let mixed = (product.high ^ product.low) &* 0xFF51_AFD7_ED55_8CCD
    // The high half, scaled to the capacity, which needn't be a power of two.
    return Int(truncatingIfNeeded: ((mixed &>> 32) &* UInt64(capacity)) &>> 32)
  }

  /// Returns the child at an edge; 0 if there is none.
  @inline(__always)
  static func child(
    _ slots: UnsafeBufferPointer<Slot>, _ pool: UnsafeBufferPointer<UInt8>, seed: UInt64,
    _ parent: UInt32, _ segment: PathSegment, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> UInt32 {
    var index = index(
      segment.word0, segment.word1, parent, seed: seed, capacity: slots.count)
    while true {
      let slot = slots[index]
      if slot.child == 0 { return 0 }
      if slot.word0 == segment.word0, slot.parent == parent {
        // The first byte of the pool is unused, so the words of a long component never equal those
        // of a segment.
        if slot.word1 == segment.word1 { return slot.child }
        if slot.isLong, segment.isLong, slot.longCount == segment.count,
          isEqual(pool, slot.longOffset, bytes, Int(segment.start), slot.longCount)
        {
          return slot.child
        }
      }
      index &+= 1
      if index == slots.count { index = 0 }
    }
  }

  /// Adds an edge that isn't there yet.
  ///
  /// - Complexity: O(1) amortised, even if patterns were chosen to collide: a table with long
  ///   lookups gets another seed, and after several seeds more room.
  mutating func insert(_ slot: Slot) {
    count += 1
    if count * 2 > slots.count {
      trialCount = 0
      remake(capacity: slots.count * 2)
    }
    var distance = place(slot)
    while distance > SlotTable.probeCountMax, trialCount < 2 * SlotTable.seedCountMax {
      trialCount += 1
      seedNumber += 1
      remake(capacity: trialCount == SlotTable.seedCountMax ? slots.count * 2 : slots.count)
      distance = longestProbe
    }
  }

  /// Places all edges again.
  private mutating func remake(capacity: Int) {
    let edges = slots
    slots = [Slot](repeating: Slot(), count: capacity)
    seed = SlotTable.seed(seedNumber)
    for edge in edges where edge.child != 0 { place(edge) }
  }

  /// Returns a table of the same edges with half of the slots free and no lookup longer than
  /// allowed.
  func frozen() -> SlotTable {
    var capacity = max(count * 2, 2)
    for attempt in 0..<(SlotTable.seedCountMax * 2) {
      if attempt == SlotTable.seedCountMax { capacity *= 2 }
      let seed = SlotTable.seed(attempt)
      let table = SlotTable(holding: slots, capacity: capacity, seed: seed, count: count)
      if table.longestProbe <= SlotTable.probeCountMax { return table }
    }
    return self
  }

  private init(holding others: [Slot], capacity: Int, seed: UInt64, count: Int) {
    self.init(holding: others, capacity: capacity, seed: seed)
    self.count = count
  }

  /// The longest distance of an edge from its preferred slot.
  var longestProbe: Int {
    var longest = 0
    for (index, slot) in slots.enumerated() where slot.child != 0 {
      let distance = index - home(slot)
      longest = max(longest, distance < 0 ? distance + slots.count : distance)
    }
    return longest
  }

  private func home(_ slot: Slot) -> Int {
    SlotTable.index(
      slot.word0, slot.hashedWord1, slot.parent, seed: seed, capacity: slots.count)
  }

  /// Puts an edge into the first free slot; returns the distance from its preferred slot.
  @discardableResult
  private mutating func place(_ slot: Slot) -> Int {
    var index = home(slot)
    var distance = 0
    while slots[index].child != 0 {
      distance += 1
      index += 1
      if index == slots.count { index = 0 }
    }
    slots[index] = slot
    return distance
  }

  private static func seed(_ attempt: Int) -> UInt64 {
    UInt64(attempt + 1) &* 0xA076_1D64_78BD_642F
  }

  private static func isEqual(
    _ left: UnsafeBufferPointer<UInt8>, _ leftStart: Int,
    _ right: UnsafeBufferPointer<UInt8>, _ rightStart: Int, _ count: Int
  ) -> Bool {
    for index in 0..<count where left[leftStart + index] != right[rightStart + index] {
      return false
    }
    return true
  }
}
