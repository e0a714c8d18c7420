import Testing

@testable import MoonSession

struct FollowingCountTests {
  private static func name(_ text: String) throws -> ModuleName { try #require(ModuleName(text)) }

  @Test func `so many may follow, and those of the one who had most are too many`() throws {
    var following = Following(countMax: 100, budget: .zero)
    for _ in 0..<100 { #expect(following.next(of: try Self.name("loop")) == nil) }
    #expect(following.next(of: try Self.name("loop")) == .count)
    for _ in 0..<10 { #expect(following.next(of: try Self.name("calm")) == nil) }
    #expect(following.next(of: try Self.name("calm")) == .count)
    #expect(following.count == 112)
  }

  @Test func `at twice as many everything ends, however it is shared out`() throws {
    var following = Following(countMax: 100, budget: .zero)
    var count = 0
    for number in 0..<1_000 {
      if following.next(of: try Self.name("m\(number)")) == nil { count += 1 }
    }
    #expect(count == 200)
  }

  @Test func `time that is over is over for whoever used it`() throws {
    var following = Following(countMax: 1_000, budget: .nanoseconds(1))
    #expect(following.next(of: nil) == nil)
    #expect(following.next(of: nil) == .time)
  }
}
