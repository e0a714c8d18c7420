import Foundation
import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// What happens where Lua itself is at work for minutes, and no instruction of the script's comes.
@Suite(.serialized) struct AbandonTests {
  /// Texts that end after minutes, if they ever do.
  static let long = [
    // The compiler looks each global up among the locals of all functions around.
    """
    local parts = {}
    for i = 1, 95 do parts[i] = 'local ' .. ('a,'):rep(189) .. 'a local function f() ' end
    parts[#parts + 1] = ('x=x '):rep(50000) .. ('end '):rep(95)
    while true do load(table.concat(parts)) end
    """,
    // The collector looks through all weak keys for each.
    """
    local nodes = {}
    for i = 1, 200000 do nodes[i] = {} end
    for i = #nodes, 2, -1 do
      local j = math.random(i)
      nodes[i], nodes[j] = nodes[j], nodes[i]
    end
    weak, first = setmetatable({}, { __mode = 'k' }), nodes[1]
    for i = 1, #nodes - 1 do weak[nodes[i]] = nodes[i + 1] end
    nodes = nil
    while true do local garbage = {} end
    """,
    "os.date(('%c'):rep(8000000))",
    """
    local a = {}
    a.a = a
    while true do pcall(load('local a = ... return a' .. ('\\f.a'):rep(80000) .. '.b.c'), a) end
    """,
  ]

  @Test(arguments: long)
  func `what Lua does for minutes is left in the middle, and others go on`(text: String) throws {
    let watchdog = try #require(Watchdog())
    var lua = try TestMachine(watchdog: watchdog)
    lua.budget = GuardTests.budget
    let start = ContinuousClock.now
    let error = failure { () throws(LuaError) in try lua.run(text) }
    #expect(ContinuousClock.now - start < GuardTests.budget + GuardTests.slack)
    guard case .timedOut? = error else {
      Issue.record("ended with \(String(describing: error))")
      return
    }
    #expect(failure { () throws(LuaError) in try lua.run("return 1") } == .machineIsDead)
    // The next one hears the watchdog, too.
    var other = try TestMachine(watchdog: watchdog)
    other.budget = GuardTests.budget
    let next = failure { () throws(LuaError) in try other.run("while true do end") }
    guard case .timedOut? = next else {
      Issue.record("ended with \(String(describing: next))")
      return
    }
    #expect(try TestMachine(watchdog: watchdog).value("return 1") == 1)
  }

  // A process of its own: what tests beside this one hold doesn't count.
  @Test func `a machine that was left in the middle gives back its memory`() async throws {
    await #expect(processExitsWith: .success) {
      let watchdog = try #require(Watchdog())
      let kept = "kept = {} for i = 1, 32 do kept[i] = ('x'):rep(1 << 20) .. i end "
      var before = 0
      for round in 0..<8 {
        var lua = try TestMachine(watchdog: watchdog)
        lua.budget = .milliseconds(200)
        _ = failure { () throws(LuaError) in try lua.run(kept + Self.long[0]) }
        if round == 1 { before = TestProcess.residentBytes }
      }
      #expect(TestProcess.residentBytes - before < 64 << 20)
    }
  }
}
