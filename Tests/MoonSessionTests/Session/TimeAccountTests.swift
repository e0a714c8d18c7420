import MoonSession
import MoonTestSupport
import Testing

/// The shares of time of those that have turns of tasks, actions, or both.
///
/// Invariant 11: who has a lot to do delays itself.
struct TimeAccountTests {
  /// An owner that always has so many ready tasks and queued actions, which take about so many
  /// milliseconds each.
  struct Load {
    let turns: Int
    let actions: Int
    let milliseconds: Int

    init(_ random: inout SplitMix64) {
      let kinds = random.pick([1, 2, 3])
      let count = random.once(in: 3) ? 1 + random.below(300) : 1 + random.below(3)
      turns = kinds & 1 == 0 ? 0 : count
      actions = kinds & 2 == 0 ? 0 : count
      milliseconds = random.pick([5, 20, 100, 900])
    }
  }

  /// What a session does with what waits in it, by the clock of a test.
  private struct Work {
    var turns = TurnQueue<Int?, Int>()
    var actions = ActionQueue<Int, Int>()
    var account = TimeAccount<Int?>()
    var random: SplitMix64
    let loads: [Load]
    var now: Int64 = 0
    /// The time that each owner has had for turns, and for actions.
    var had: [(turns: Int64, actions: Int64)]

    init(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      loads = (0..<(2 + random.below(9))).map { _ in Load(&random) }
      self.random = random
      had = loads.map { _ in (0, 0) }
      for (owner, load) in loads.enumerated() {
        for _ in 0..<load.turns { turns.append(owner, of: owner) }
        for _ in 0..<load.actions { _ = try actions.append(owner, of: owner) }
      }
    }

    /// Carries out what is next, after which its owner wants as much again.
    mutating func step() throws {
      let action = actions.next(by: account)
      let turn = turns.next(by: account)
      if let turn, action.map({ account.isNext(turnOf: turn, before: $0) }) ?? true {
        _ = turns.popFirst(by: account)
        let owner = try #require(turn)
        had[owner].turns += charge(owner)
        turns.append(owner, of: owner)
      } else {
        let entry = actions.popFirst(of: try #require(action))
        let owner = try #require(entry?.owner)
        had[owner].actions += charge(owner)
        _ = try actions.append(owner, of: owner, at: account.total)
      }
    }

    private mutating func charge(_ owner: Int) -> Int64 {
      let half = loads[owner].milliseconds * 500_000
      let time = Int64(half + random.below(half + 1))
      account.charge(owner, for: time)
      now += time
      return time
    }
  }

  @Test(arguments: 1...12)
  func `each of n busy owners gets at least half of an n-th of the time, whatever it does`(
    seed: UInt64
  ) throws {
    var work = try Work(seed: seed)
    // Long enough that a turn more or less doesn't count.
    while work.now < 60 * 1_000_000_000 { try work.step() }
    let share = work.now / Int64(2 * work.loads.count)
    for (load, had) in zip(work.loads, work.had) {
      #expect(had.turns + had.actions >= share, "\(load) of \(work.loads)")
      // Neither kind keeps the other from its part of the owner's time.
      if load.turns > 0, load.actions > 0 {
        #expect(min(had.turns, had.actions) >= share / 4, "\(load) of \(work.loads)")
      }
    }
  }

  @Test func `what is used counts until there is nothing left to do`() {
    var account = TimeAccount<String>()
    let isFirst = account.isNext(turnOf: "a", before: "a")
    #expect(!account.hasHeavy && isFirst)
    account.charge("a", for: .max)
    account.charge("a", for: .max)
    #expect(account.isHeavy("a") && account.excess(of: "a") == .max)
    let order = [
      account.isNext(turnOf: "a", before: "b"), account.isNext(turnOf: "b", before: "a"),
    ]
    #expect(order == [false, true])
    account.startOver()
    #expect(!account.hasHeavy && account.excess(of: "a") == 0)
  }
}
