import Foundation
import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// Calls in which Lua itself works for minutes without running an instruction of the script.
///
/// Invariant 3: a call that Lua itself keeps busy is abandoned.
@Suite(.serialized) struct AbandonTests {
  /// Texts that end after minutes, if ever.
  static let long = [
    // The compiler searches the locals of all enclosing functions for each global.
    """
    local parts = {}
    for i = 1, 95 do parts[i] = 'local ' .. ('a,'):rep(189) .. 'a local function f() ' end
    parts[#parts + 1] = ('x=x '):rep(50000) .. ('end '):rep(95)
    while true do load(table.concat(parts)) end
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
    // The watchdog ends the next call too.
    var other = try TestMachine(watchdog: watchdog)
    other.budget = GuardTests.budget
    let next = failure { () throws(LuaError) in try other.run("while true do end") }
    guard case .timedOut? = next else {
      Issue.record("ended with \(String(describing: next))")
      return
    }
    #expect(try TestMachine(watchdog: watchdog).value("return 1") == 1)
  }

  // In a process of its own, so that memory of concurrent tests doesn't count.
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

  /// Reducers that never end and keep switching between Lua and the host.
  static let crossing = [
    // Calls that fail in another machine, and answers whose size triggers the quota's alarm.
    "while true do moon.call(1, 'fail', 'grow') end",
    "while true do pcall(moon.call, 1, 'grow') moon.call(1, 'open') end",
    """
    while true do
      state.n = state.list[1]
      state.list[2] = {state.n}
      for k in pairs(state) do end
    end
    """,
    "while true do table.insert(state.list, 1, ('x'):rep(200)) table.remove(state.list) end",
    """
    while true do
      pcall(function() state.list[1.5] = 1 end)
      pcall(function() state.f = type end)
    end
    """,
    "while true do for i = 1, 20000 do local t = {i} end moon.call(1, 'fail') end",
    "while true do load(('local a = b '):rep(150)) pcall(moon.call, 1) end",
  ]

  @Test func `a call is abandoned between its steps into the host, never within one`() throws {
    let watchdog = try #require(Watchdog(interval: .microseconds(300), grace: .zero))
    let answering = Answering(watchdog: watchdog)
    var abandonedCount = 0
    for round in 0..<60 * Self.crossing.count {
      var lua = try TestMachine(
        watchdog: watchdog, memoryQuota: 1 << 20,
        answer: { (asked: [Value?], _: TestMachine.Log) throws(HostRefusal) -> [Argument] in
          answering.answer(asked)
        })
      lua.budget = .milliseconds(2)
      let body = Self.crossing[round % Self.crossing.count]
      let error = failure { () throws(LuaError) in
        try lua.reduce(["n": 0, "list": [1, 2, 3]], body)
      }
      switch error {
      case .timedOut: abandonedCount += lua.machine.isAbandoned ? 1 : 0
      case .memoryExceeded: break
      default: Issue.record("\(body) ended with \(String(describing: error))")
      }
      #expect(answering.begun == answering.ended, "\(body): a frame of Swift was skipped")
    }
    #expect(abandonedCount > 0, "no call was abandoned, so this tells nothing")
  }

  @Test func `where Lua is a library of its own, its code can be left in the middle`() {
    #expect(Watchdog.canAbandon)
  }

  /// The host's part in calls that are ended while it answers.
  private final class Answering {
    let watchdog: Watchdog
    private(set) var begun = 0
    private(set) var ended = 0
    private let inner: TestMachine?

    init(watchdog: Watchdog) {
      self.watchdog = watchdog
      inner = try? TestMachine(watchdog: watchdog)
    }

    func answer(_ asked: [Value?]) -> [Argument] {
      begun += 1
      defer { ended += 1 }
      return asked.map { word in
        switch word {
        case "fail":
          for _ in 0..<600 { _ = failure { () throws(LuaError) in try inner?.run("error({})") } }
          return .none
        case "open": return .value((try? TestMachine(watchdog: watchdog).value("return 1")) ?? 0)
        default: return .value(.string(Text(String(repeating: "x", count: 70_000))))
        }
      }
    }
  }
}
