import MoonTestSupport
import Testing

@testable import MoonValues

/// Checks the properties that every node of a tree must have, besides the order of its contents.
private struct TreeCheck {
  private(set) var faults: [String] = []
  private(set) var nodeCount = 0

  init(_ root: Node?) {
    if let root { _ = check(root, above: nil, below: nil) }
  }

  /// Checks a node whose keys must be at least one bound and less than another.
  private mutating func check(_ node: Node, above: Key?, below: Key?) -> Int {
    nodeCount += 1
    let slotCount = node.slotCount
    if slotCount == 0 || slotCount > Node.widthMax || slotCount > node.slotMax {
      faults.append("\(slotCount) slots")
    }
    let keys = node.keys.map { block in (0..<block.count).map { block.key(at: $0) } }
    if let keys {
      if keys.count != slotCount { faults.append("\(keys.count) keys for \(slotCount) slots") }
      if zip(keys, keys.dropFirst()).contains(where: { $0 >= $1 }) { faults.append("unsorted") }
      if let above, let first = keys.first, first < above { faults.append("too low a key") }
      if let below, let last = keys.last, last >= below { faults.append("too high a key") }
    }
    if node.size != node.measured(0..<slotCount) { faults.append("a size") }
    if node.height == 0 {
      if node.count != slotCount { faults.append("a leaf's count") }
      return slotCount
    }
    var count = 0
    for index in 0..<slotCount {
      let child = node.child(index)
      if child.height != node.height - 1 { faults.append("a child's height") }
      let next = index + 1 < slotCount ? keys?[index + 1] : below
      let childCount = check(child, above: keys?[index], below: next)
      if childCount != node.children[index].count { faults.append("a child's count") }
      count += childCount
    }
    if count != node.count { faults.append("an inner node's count") }
    return count
  }
}

struct TreeTests {
  @Test(arguments: 1...9 as ClosedRange<UInt64>)
  func `a map's nodes stay in order through random edits`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    var map = Map()
    var old = map
    for step in 0..<3000 {
      let number = values.random.below(4000)
      let key: Key =
        switch seed % 3 {
        case 0: .int(Int64(number - 2000))
        // Both kinds in one map, integers arriving before, between and after texts.
        case 1: number % 2 == 0 ? .int(Int64(number)) : .string(Text("k\(number)"))
        default: .string(Text("a long key that is numbered \(number)"))
        }
      if values.random.below(5) < (step < 2000 ? 4 : 1) {
        map[key] = .int(Int64(number))
      } else if !map.isEmpty {
        map[map.entry(at: values.random.below(map.count)).key] = Value?.none
      }
      if step % 50 == 0 {
        old = map
        #expect(TreeCheck(map.node).faults == [], "seed \(seed), step \(step)")
      }
    }
    #expect(TreeCheck(old.node).faults == [])
    while !map.isEmpty {
      map[map.entry(at: values.random.below(map.count)).key] = Value?.none
      if map.count % 100 == 0 { #expect(TreeCheck(map.node).faults == []) }
    }
  }

  @Test(arguments: [true, false])
  func `a map grown from either end keeps its nodes in order and full`(ascends: Bool) {
    var map = Map()
    for step in 0..<5000 { map[.int(Int64(ascends ? step : -step))] = .null }
    let check = TreeCheck(map.node)
    #expect(check.faults == [])
    #expect(check.nodeCount < (ascends ? 345 : 720))
  }

  @Test func `a list's nodes stay in order while it shrinks from either end`() {
    var list = List((0..<3000).map { .int($0) })
    var random = SplitMix64(seed: 8)
    while !list.isEmpty {
      list.remove(at: random.below(2) == 0 ? 0 : list.count - 1)
      if list.count % 50 == 0 { #expect(TreeCheck(list.node).faults == []) }
    }
  }

  @Test func `a tree doesn't stay deep when it shrinks`() {
    var list = List((0..<10_000).map { .int($0) })
    var random = SplitMix64(seed: 9)
    while list.count > 100 { list.remove(at: random.below(list.count)) }
    #expect((list.node?.height ?? 0) <= 2)
    #expect(TreeCheck(list.node).nodeCount < 40)
  }

  @Test func `a copy's change leaves all keys shared`() throws {
    let old = Map((0..<100).map { (.int($0), .null) })
    var new = old
    new[50] = 1
    let keys = try #require(old.node?.keys)
    #expect(new.node?.keys === keys)
    #expect(new.node !== old.node)
  }

  @Test func `what nobody shares is changed where it lies`() throws {
    var map = Map((0..<100).map { (.int($0), .null) })
    let before = map.node.map(ObjectIdentifier.init)
    map[50] = 1
    #expect(map.node.map(ObjectIdentifier.init) == before)
  }
}
