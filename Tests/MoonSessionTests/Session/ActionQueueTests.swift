import MoonSession
import MoonTestSupport
import Testing

struct ActionQueueTests {
  typealias Queue = ActionQueue<String, Int>

  private static func filled(_ owner: String?, _ count: Int = Queue.countMax) throws -> Queue {
    var queue = Queue()
    for number in 0..<count { _ = try queue.append(number, of: owner) }
    return queue
  }

  @Test func `actions leave in the order in which they came`() throws {
    var queue = Queue()
    for (number, owner) in ["a", nil, "b", "a"].enumerated() {
      _ = try queue.append(number, of: owner)
    }
    #expect(queue.count == 4)
    var left: [Int?] = []
    for _ in 0...4 { left.append(queue.popFirst()?.action) }
    #expect(left == [0, 1, 2, 3, nil])
  }

  @Test func `whoever comes after a flood waits for one round of it`() throws {
    var queue = try Self.filled("flood", 1_000)
    _ = try queue.append(-1, of: "calm")
    _ = try queue.append(-2, of: "calm")
    var order: [Int] = []
    while let entry = queue.popFirst() { order.append(entry.action) }
    #expect(order.prefix(Queue.turnsMax + 2).suffix(3) == [99, -1, -2])
    #expect(order.filter { $0 >= 0 } == Array(0..<1_000))
  }

  @Test func `an owner that adds one whenever one leaves shares its turns as well`() throws {
    var queue = try Self.filled("loop", 1)
    _ = try queue.append(0, of: "loop")
    for number in 1...Queue.turnsMax { _ = try queue.append(number, of: "other") }
    var loopTurns = 0
    while let entry = queue.popFirst(), queue.count > 1 {
      guard entry.owner == "loop" else { continue }
      loopTurns += 1
      _ = try queue.append(0, of: "loop")
    }
    #expect(loopTurns <= Queue.turnsMax)
  }

  @Test func `who fills the queue alone is refused, and the queue keeps what it has`() throws {
    var queue = try Self.filled("a")
    #expect(throws: ActionQueueFull.count) { try queue.append(-1, of: "a") }
    #expect(queue.count == Queue.countMax)
    #expect(queue.popFirst()?.action == 0)
    #expect(try queue.append(-2, of: "a").isEmpty)
    #expect(throws: ActionQueueFull.count) { try queue.append(-3, of: "a") }
  }

  @Test func `in a full queue whoever has the most gives up its newest`() throws {
    var queue = try Self.filled("flood")
    #expect(queue.room(for: "calm") == Queue.countMax / 2)
    let removed = try queue.append(-1, of: "calm")
    #expect(removed.map(\.owner) == ["flood"])
    #expect(removed.map(\.action) == [Queue.countMax - 1])
    #expect(queue.count == Queue.countMax)
    #expect(throws: ActionQueueFull.count) { try queue.append(-2, of: "flood") }
  }

  @Test func `two that want everything end with half each`() throws {
    var queue = try Self.filled("first")
    var taken = 0
    while (try? queue.append(-1, of: "second")) != nil { taken += 1 }
    #expect(taken == Queue.countMax / 2)
    #expect(queue.room(for: "second") == 0)
  }

  @Test func `bytes are shared in the same way`() throws {
    let max = Queue.bytesMax
    var queue = Queue()
    for number in 0..<4 { _ = try queue.append(number, of: "heavy", bytes: max / 4) }
    #expect(throws: ActionQueueFull.bytes) { try queue.append(4, of: "heavy", bytes: 1) }
    #expect(try queue.append(5, of: "light", bytes: 10).map(\.action) == [3])
    #expect(queue.bytes == max / 4 * 3 + 10)
    #expect(throws: ActionQueueFull.bytes) { try queue.append(6, of: "light", bytes: max + 1) }
    #expect(throws: ActionQueueFull.bytes) { try queue.append(6, of: "light", bytes: .max) }
    queue.removeAll()
    #expect(queue.bytes == 0)
  }

  @Test func `forgetting one owner's actions leaves those of the others`() throws {
    var queue = try Self.filled("a", 3)
    _ = try queue.append(7, of: "b")
    #expect(queue.removeAll(of: "a") == 3)
    #expect(queue.removeAll(of: "c") == 0)
    #expect(queue.popFirst()?.action == 7)
    #expect(queue.isEmpty)
  }

  /// A queue that is appended to, taken from and removed from at random, with a list as the model.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `nothing is lost or twice there, and each owner's leave in order`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var queue = Queue()
    var model: [String?: [Int]] = [:]
    let owners: [String?] = ["a", "b", "c", nil]
    // Moves the queue's length towards the limit and across it.
    for number in 0..<(seed.isMultiple(of: 8) ? 30_000 : 3_000) {
      let owner = owners[
        Int.random(in: 0..<4, using: &random) / Int.random(in: 1...2, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<8:
        guard let removed = try? queue.append(number, of: owner) else {
          #expect(queue.count == Queue.countMax)
          continue
        }
        for entry in removed { #expect(model[entry.owner]?.popLast() == entry.action) }
        model[owner, default: []].append(number)
      case 8:
        guard let entry = queue.popFirst() else { continue }
        #expect(model[entry.owner]?.removeFirst() == entry.action)
      default:
        guard Int.random(in: 0..<200, using: &random) == 0 else { continue }
        #expect(queue.removeAll(of: owner) == model[owner]?.count ?? 0)
        model[owner] = []
      }
      #expect(queue.count == model.values.reduce(0) { $0 + $1.count })
    }
    while let entry = queue.popFirst() {
      #expect(model[entry.owner]?.removeFirst() == entry.action)
    }
    #expect(model.values.allSatisfy { $0.isEmpty })
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `nobody waits longer than one round of each of the others`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var queue = Queue()
    // The others' actions that left since an owner's oldest action was appended.
    var waited: [String: Int] = [:]
    var waiting: [String: Int] = [:]
    for _ in 0..<20_000 {
      if Int.random(in: 0..<5, using: &random) < 3 {
        let owner = ["flood", "flood", "flood", "calm", "quiet"][
          Int.random(in: 0..<5, using: &random)]
        if owner != "flood", waiting[owner, default: 0] >= 5 { continue }
        guard (try? queue.append(0, of: owner)) != nil else { continue }
        if waiting[owner, default: 0] == 0 { waited[owner] = 0 }
        waiting[owner, default: 0] += 1
      } else if let owner = queue.popFirst()?.owner {
        for other in waited.keys where other != owner { waited[other, default: 0] += 1 }
        if owner != "flood" { #expect(waited[owner, default: 0] <= 4 * Queue.turnsMax) }
        waited[owner] = 0
        waiting[owner, default: 0] -= 1
        if waiting[owner] == 0 { waited[owner] = nil }
      }
    }
  }

  @Test(arguments: [(99, [0, 1, 2, 3]), (100, [1, 2, 3, 0])] as [(Int64, [Int])])
  func `by time, who has used little is first, once the oldest action has waited for long`(
    milliseconds: Int64, order: [Int]
  ) throws {
    var account = TimeAccount<String?>()
    account.charge("busy", for: 1_000_000_000)
    var queue = Queue()
    for (number, owner) in ["busy", "calm", "quiet", "calm", "busy"].enumerated() {
      _ = try queue.append(number, of: owner, at: account.total)
    }
    account.charge("another", for: milliseconds * 1_000_000)
    var taken: [Int] = []
    for _ in 0..<4 {
      let owner = try #require(queue.next(by: account))
      let entry = queue.popFirst(of: owner)
      taken.append(try #require(entry?.action))
    }
    #expect(taken == order)
    // The rest leaves as if none had left by time.
    let last = queue.popFirst()
    #expect(last?.action == 4)
    #expect(queue.isEmpty && queue.next(by: account) == nil)
  }
}
