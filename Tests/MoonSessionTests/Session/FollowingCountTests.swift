import MoonServiceKit
import Testing

@testable import MoonSession

struct FollowingCountTests {
  private static func name(_ text: String) throws -> ModuleName { try #require(ModuleName(text)) }

  @Test func `so many may follow, and those of the one who had most are too many`() throws {
    var following = Following(countMax: 100, budget: .zero)
    for _ in 0..<100 { #expect(following.next(by: try Self.name("loop")) == nil) }
    #expect(following.next(by: try Self.name("loop")) == .count)
    for _ in 0..<10 { #expect(following.next(by: try Self.name("calm")) == nil) }
    #expect(following.next(by: try Self.name("calm")) == .count)
    #expect(following.count == 112)
  }

  @Test func `at twice as many everything ends, however it is shared out`() throws {
    var following = Following(countMax: 100, budget: .zero)
    var count = 0
    for number in 0..<1_000 {
      if following.next(by: try Self.name("m\(number)")) == nil { count += 1 }
    }
    #expect(count == 200)
  }

  @Test func `time that is over is over for whoever used it`() throws {
    var following = Following(countMax: 1_000, budget: .seconds(10))
    var now = Duration.seconds(3)
    func next(_ name: String, after seconds: Int) throws -> Following.Excess? {
      now += .seconds(seconds)
      return following.next(of: try Self.name(name)) { now }
    }
    #expect(try next("slow", after: 0) == nil)
    #expect(try next("slow", after: 9) == nil)
    #expect(try next("calm", after: 1) == nil)
    #expect(try next("slow", after: 1) == .time)
    // The others may continue until they have had as much.
    #expect(try next("calm", after: 0) == nil)
    #expect(try next("calm", after: 1) == .time)
  }

  @Test func `without a budget no clock is looked at`() {
    var following = Following(countMax: 10, budget: .zero)
    let excess = following.next(of: nil) {
      Issue.record("it was")
      return .zero
    }
    #expect(excess == nil)
  }
}

extension Following {
  /// Returns a clock that stands still.
  fileprivate mutating func next(by owner: ModuleName?) -> Excess? { next(of: owner) { .zero } }
}
