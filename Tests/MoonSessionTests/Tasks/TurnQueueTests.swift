import MoonSession
import MoonTestSupport
import Testing

/// The order of turns.
///
/// Invariant 11: who has many turns, or long ones, delays itself.
struct TurnQueueTests {
  typealias Queue = TurnQueue<Int, Int>

  /// An owner that always has this many items, each with a turn of about so many milliseconds.
  struct Load {
    let items: Int
    let milliseconds: Int
  }

  /// Owners that want all the time they can get, and one that wants a turn now and then.
  private struct Simulation {
    var queue = Queue()
    var account = TimeAccount<Int>()
    var random: SplitMix64
    let loads: [Load]
    var now: Int64 = 0

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      loads = (0..<(2 + random.below(9))).map { [random = random] number in
        var random = random
        for _ in 0..<number { _ = random.next() }
        return Load(
          items: random.once(in: 3) ? 1 + random.below(300) : 1 + random.below(3),
          milliseconds: random.pick([1, 3, 20, 100, 900]))
      }
    }

    mutating func start() {
      for (owner, load) in loads.enumerated() {
        for _ in 0..<load.items { queue.append(owner, of: owner) }
      }
    }

    /// Takes a turn, after which the item is ready again; returns its owner.
    mutating func takeTurn() throws -> Int {
      let next = queue.popFirst(by: account)
      let owner = try #require(next)
      let time =
        owner < 0
        ? 1_000_000
        : Int64(loads[owner].milliseconds) * 1_000_000 / 2
          + Int64(random.below(loads[owner].milliseconds * 500_000 + 1))
      if owner >= 0 {
        queue.append(owner, of: owner)
      }
      now += time
      account.charge(owner, for: time)
      return owner
    }
  }

  @Test(arguments: 1...12)
  func `who rarely wants a turn has it after those of others that wait at that moment`(
    seed: UInt64
  ) throws {
    var run = Simulation(seed: seed)
    run.start()
    while run.now < 10 * 1_000_000_000 { _ = try run.takeTurn() }
    // So few that it doesn't become heavy.
    for _ in 0..<9 {
      let asked = run.now
      run.queue.append(-1, of: -1)
      while try run.takeTurn() != -1 {}
      // All others are heavy by now.
      #expect(run.now - asked <= 1_000_000)
      for _ in 0..<5 { _ = try run.takeTurn() }
    }
  }

  @Test func `turns are taken in the order in which they were asked for while they are short`() {
    var queue = Queue()
    for number in 0..<100 { queue.append(number, of: number % 7) }
    var order: [Int] = []
    var account = TimeAccount<Int>()
    while let next = queue.popFirst(by: account) {
      order.append(next)
      account.charge(next % 7, for: 1_000)
    }
    #expect(order == Array(0..<100))
    #expect(queue.isEmpty)
  }

  @Test func `hardly any time in which nobody wanted a turn is saved up`() {
    var queue = Queue()
    var account = TimeAccount<Int>()
    let second: Int64 = 1_000_000_000
    for _ in 0..<300 { queue.append(1, of: 1) }
    // The second owner becomes heavy at once, then rests for 100 turns of the first.
    queue.append(2, of: 2)
    for _ in 0..<100 {
      _ = queue.popFirst(by: account)
      account.charge(1, for: second)
    }
    for _ in 0..<100 { queue.append(2, of: 2) }
    var turns = [0, 0, 0]
    for _ in 0..<20 {
      let owner = queue.popFirst(by: account) ?? 0
      turns[owner] += 1
      account.charge(owner, for: second)
    }
    // One turn may be.
    #expect(turns[2] <= 12 && turns[1] >= 8)
  }
}
