import MoonServiceKit
import Testing

@testable import MoonSession

struct FollowingCountTests {
  private static func name(_ text: String) throws -> ModuleName { try #require(ModuleName(text)) }

  @Test func `so many may follow, and those of the one who had most are too many`() throws {
    var following = Following(countMax: 100)
    for _ in 0..<100 { #expect(!following.isExceeded(byNextOf: try Self.name("loop"))) }
    #expect(following.isExceeded(byNextOf: try Self.name("loop")))
    for _ in 0..<10 { #expect(!following.isExceeded(byNextOf: try Self.name("calm"))) }
    #expect(following.isExceeded(byNextOf: try Self.name("calm")))
    #expect(following.count == 112)
  }

  @Test func `at twice as many everything ends, however it is shared out`() throws {
    var following = Following(countMax: 100)
    var count = 0
    for number in 0..<1_000 {
      if !following.isExceeded(byNextOf: try Self.name("m\(number)")) { count += 1 }
    }
    #expect(count == 200)
  }
}

struct FollowingTimeTests {
  private let owner = ModuleName("owner")
  private let listener = ModuleName("listener")

  /// Carries out an action of the owner that takes so long, of which a call of the listener does.
  private func carryOut(
    _ time: Int64, called: Int64, _ following: inout FollowingTime, at now: inout Int64
  ) throws {
    following.begin(of: owner, at: now)
    now += time
    following.add(called, of: try #require(listener))
    following.end(at: now)
  }

  @Test func `time that is over is over for the owner that used it, not for its neighbours`()
    throws
  {
    var (following, now) = (FollowingTime(budget: 1_000), Int64(5))
    for _ in 0..<9 {
      try carryOut(110, called: 10, &following, at: &now)
      #expect(!following.isSpent(by: owner))
    }
    try carryOut(110, called: 10, &following, at: &now)
    #expect(following.isSpent(by: owner))
    #expect(!following.isSpent(by: listener))
  }

  @Test func `a listener's time costs the owner of the actions nothing`() throws {
    var (following, now) = (FollowingTime(budget: 1_000), Int64(5))
    for _ in 0..<30 { try carryOut(900, called: 899, &following, at: &now) }
    #expect(following.isSpent(by: listener))
    #expect(!following.isSpent(by: owner))
  }

  @Test func `turns of tasks between two actions are charged to nobody`() throws {
    var (following, now) = (FollowingTime(budget: 1_000), Int64(5))
    try carryOut(10, called: 0, &following, at: &now)
    #expect(!following.isRunning)
    following.add(5_000, of: try #require(listener))
    now += 5_000
    try carryOut(900, called: 0, &following, at: &now)
    #expect(!following.isSpent(by: owner))
    try carryOut(90, called: 0, &following, at: &now)
    #expect(following.isSpent(by: owner) && !following.isSpent(by: listener))
  }

  @Test func `without a budget none is spent`() throws {
    var (following, now) = (FollowingTime(), Int64(5))
    try carryOut(1_000_000, called: 10, &following, at: &now)
    #expect(!following.isSpent(by: owner))
  }
}
