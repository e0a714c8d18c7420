import MoonLua
import Testing

@Suite struct CallLimitsTests {
  @Test(arguments: [
    (Duration.zero, UInt32(0)), (.milliseconds(1), 1), (.microseconds(1), 1), (.seconds(2), 2000),
    (.milliseconds(1999), 1999), (.seconds(Int64.max), .max), (.seconds(-1), 0),
    (.seconds(5_000_000), .max),
  ])
  func `a budget is counted in milliseconds, and never becomes none`(
    budget: Duration, milliseconds: UInt32
  ) {
    let limits = CallLimits(budget: budget, purity: .impure, entry: "a test")
    #expect(limits.budgetMilliseconds == milliseconds)
  }
}
