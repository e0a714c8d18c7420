import Testing

@testable import MoonRouting

struct SlotTableTests {
  /// Edges that all belong in the first slots of a table with the usual seed, whatever its size.
  private static func colliding(_ count: Int) -> [SlotTable.Slot] {
    let seed = SlotTable().seed
    var slots: [SlotTable.Slot] = []
    var word: UInt64 = 0
    while slots.count < count {
      word += 1
      let place = SlotTable.index(word, 8, 1, seed: seed, capacity: 1 << 20)
      if place < 1 << 10 {
        slots.append(
          SlotTable.Slot(word0: word, word1: 8, parent: 1, child: UInt32(slots.count + 1)))
      }
    }
    return slots
  }

  @Test func `edges that were chosen to collide don't make a table slow`() {
    let slots = Self.colliding(600)
    var table = SlotTable()
    for slot in slots { table.insert(slot) }
    #expect(table.count == slots.count)
    #expect(table.slots.count { $0.child != 0 } == slots.count)
    #expect(table.longestProbe <= SlotTable.probeCountMax)
    #expect(table.seed != SlotTable().seed)
    #expect(table.slots.count <= slots.count * 8)
    let frozen = table.frozen()
    #expect(frozen.longestProbe <= SlotTable.probeCountMax)
    #expect(Set(frozen.slots.map(\.child)).subtracting([0]) == Set(slots.map(\.child)))
  }
}
