import MoonServiceKit
import Testing

@testable import MoonSession

struct ActionClockTests {
  @Test func `a module's time is that of all its calls, also if others are called in between`()
    throws
  {
    let (one, other) = (try #require(ModuleName("one")), try #require(ModuleName("other")))
    var clock = ActionClock()
    for _ in 0...ActionClock.unmeasuredCount { _ = clock.countCall() }
    for (time, module) in [(3, one), (2, other), (4, one), (1, one), (5, other)] {
      clock.add(Int64(time), of: module)
    }
    #expect(clock.total == 15)
    // A module may use a tenth of a budget.
    #expect([79, 80].map { clock.hasUsedShare(one, of: $0) } == [true, false])
    #expect([69, 70].map { clock.hasUsedShare(other, of: $0) } == [true, false])
    clock.begin()
    #expect(clock.total == 0)
    #expect(!clock.hasUsedShare(one, of: 0) && !clock.hasUsedShare(other, of: 0))
  }
}
