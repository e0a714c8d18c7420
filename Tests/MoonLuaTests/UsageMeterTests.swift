import MoonLua
import MoonTestSupport
import MoonValues
import Testing

struct UsageMeterTests {
  private static let loop = "local n = 0 for i = 1, 3000000 do n = n + i end return n"

  @Test func `every call is counted, those that fail included`() throws {
    let meter = UsageMeter()
    let lua = try TestMachine(meter: meter)
    #expect(meter.usage.calls == 0)
    #expect(meter.usage.memoryPeak > 0)
    try lua.run("return 1")
    #expect(throws: LuaError.self) { try lua.run("error('no')") }
    #expect(throws: LuaError.self) { try lua.run("return {,}") }
    #expect(meter.usage.calls == 3)
  }

  @Test func `the time of a call is what a clock around it says`() throws {
    let lua = try TestMachine()
    let clock = ContinuousClock()
    let around = try clock.measure { _ = try lua.run(Self.loop) }
    let counted = lua.machine.usage.time
    #expect(counted > .zero)
    // The clock that measures the counter takes time to read.
    #expect(counted <= around * 1.05)
    #expect(counted >= around * 0.2)
  }

  @Test func `what a machine has used outlives it`() throws {
    let meter = UsageMeter()
    do {
      let first = try TestMachine(meter: meter)
      _ = try first.run(Self.loop)
      _ = try first.run("keep = string.rep('x', 3000000)")
    }
    let left = meter.usage
    #expect(left.calls == 2)
    #expect(left.time > .zero)
    #expect(left.memoryPeak > 3_000_000)
    let second = try TestMachine(meter: meter)
    try second.run("return 1")
    #expect(meter.usage.calls == 3)
    #expect(meter.usage.time > left.time)
    #expect(meter.usage.memoryPeak == left.memoryPeak)
    let other = try TestMachine()
    #expect(other.machine.usage.calls == 0)
  }

  @Test func `machines that share a quota have it together, without garbage`() throws {
    let meter = UsageMeter()
    func machine(sharing: Bool = true) throws(LuaError) -> TestMachine {
      try TestMachine(memoryQuota: 4 << 20, sharesQuota: sharing, meter: meter)
    }
    func keep(_ count: Int) -> String {
      "keep = {} for i = 1, \(count) do keep[i] = ('x'):rep(100000) end"
    }
    let first = try machine()
    try first.run(keep(25))
    do {
      let second = try machine()
      guard case .memoryExceeded? = failure({ () throws(LuaError) in try second.run(keep(25)) })
      else {
        Issue.record("two machines had more than a quota")
        return
      }
    }
    // Others don't use the same quota.
    try machine(sharing: false).run(keep(25))
    // What has ended and what is garbage leaves its room.
    let wasteful = try machine()
    try wasteful.run("local text = ('y'):rep(600000)")
    let last = try machine()
    try last.run(keep(12))
    #expect(try first.value("return #keep") == 25)
    try wasteful.run("return 1")
  }
}
