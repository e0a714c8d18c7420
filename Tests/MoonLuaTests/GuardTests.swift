import Foundation
import Glibc
import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// Invariant 3: every instruction has a budget, and a killed machine is never entered again.
@Suite struct GuardTests {
  static let budget = Duration.milliseconds(30)
  /// The permitted overrun of a budget, since the machine may be busy with other work.
  static let slack = Duration.seconds(8)

  /// Texts that never end.
  static let endless = [
    "while true do end",
    "local function f() return f() end f()",
    "repeat until false",
    "coroutine.wrap(function() while true do end end)()",
    "coroutine.resume(coroutine.create(function() while true do end end))",
    """
    local function nest(n)
      if n == 0 then while true do end end
      coroutine.wrap(nest)(n - 1)
    end
    nest(50)
    """,
    "while true do pcall(function() while true do end end) end",
    "local function spin() while true do end end xpcall(spin, spin)",
    "local function spin() while true do end end while true do xpcall(error, spin) end",
    "while true do xpcall(function() while true do end end, function() while true do end end) end",
    "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
    "while true do pcall(coroutine.wrap(function() pcall(function() while true do "
      + "end end) end)) end",
    "local t = setmetatable({}, {__index = function() while true do end end}) return t.x",
    "local t <close> = setmetatable({}, {__close = function() while true do end end})",
    """
    local t <close> = setmetatable({}, {__close = function() while true do end end})
    while true do end
    """,
    """
    local co = coroutine.create(function()
      local t <close> = setmetatable({}, {__close = function() while true do end end})
      coroutine.yield()
    end)
    coroutine.resume(co)
    coroutine.close(co)
    """,
    """
    local f = coroutine.wrap(function()
      local t <close> = setmetatable({}, {__close = function() while true do end end})
      error('x')
    end)
    while true do pcall(f) end
    """,
    "table.sort({3, 2, 1}, function() while true do end end)",
    "('x'):gsub('x', function() while true do end end)",
    "assert(load('while true do end'))()",
    "while true do pcall(load, ('x = 1 '):rep(1000)) end",
    "while true do pcall(error) end",
    "for _ in pairs(setmetatable({}, {__pairs = function() while true do end end})) do end",
    "tostring(setmetatable({}, {__tostring = function() while true do end end}))",
    "while true do local ok = pcall(string.rep, 'x', -1) end",
    "local co co = coroutine.wrap(function() while true do coroutine.yield() end "
      + "end) while true do co() end",
    "goto on ::on:: goto on",
    "while true do pcall(table.move, {}, 1, 1e9 // 1 | 0, 2) end",
  ]

  @Test(arguments: endless)
  func `a text that never ends is ended, and its machine with it`(text: String) throws {
    let watchdog = try #require(Watchdog())
    var lua = try TestMachine(watchdog: watchdog)
    lua.budget = Self.budget
    let start = ContinuousClock.now
    let error = failure { () throws(LuaError) in try lua.run(text) }
    #expect(ContinuousClock.now - start < Self.budget + Self.slack)
    guard case .timedOut(let report, 30)? = error else {
      Issue.record("ended with \(String(describing: error))")
      return
    }
    #expect(report.message.isEmpty)
    #expect(failure { () throws(LuaError) in try lua.run("return 1") } == .machineIsDead)
    let other = try TestMachine(watchdog: watchdog)
    #expect(try other.value("local n = 0 for i = 1, 1e5 do n = n + 1 end return n") == 100_000)
  }

  @Test func `a loop in C is no longer than a table can be`() throws {
    let lua = try TestMachine(watchdog: Watchdog())
    let long = "setmetatable({}, {__len = function() return 1 << 60 end})"
    for text in [
      "table.move({}, 1, math.maxinteger - 1, 2)", "table.insert(\(long), 1, 1)",
      "table.remove(\(long), 1)", "table.sort(\(long))", "table.concat(\(long))",
      "table.concat(setmetatable({}, {__index = type}), '', 1, 1 << 50)",
    ] {
      let found = report { () throws(LuaError) in try lua.run(text) }
      #expect(found?.message == "a range of more than 4000000 elements", "\(text)")
    }
    #expect(try lua.text("return (''):rep(1 << 60)")?.isEmpty == true)
    #expect(try lua.text("return ('ab'):rep(2, '-')") == "ab-ab")
    #expect(try lua.text("return (''):rep(3, '-')") == "--")
  }

  @Test func `anybody may interrupt what runs now`() throws {
    let watchdog = try #require(Watchdog())
    #expect(!watchdog.interrupt(), "nothing runs")
    // In a thread of its own, since this test and others may hold all of the pool's.
    Thread.detachNewThread {
      while !watchdog.interrupt() { sched_yield() }
    }
    let error = Self.spin(watchdog)
    guard case .interrupted? = error else {
      Issue.record("ended with \(String(describing: error))")
      return
    }
    #expect(try TestMachine(watchdog: watchdog).value("return 1") == 1)
  }

  private static func spin(_ watchdog: Watchdog) -> LuaError? {
    failure { () throws(LuaError) in
      try TestMachine(watchdog: watchdog).run(
        "while true do pcall(function() while true do end end) end")
    }
  }

  @Test func `a call that ends around its budget is ended or complete, and so is the next`() throws
  {
    let watchdog = try #require(Watchdog())
    var lua = try TestMachine(watchdog: watchdog)
    lua.budget = .milliseconds(4)
    var killCount = 0
    for round in 0..<60 {
      let text = "local n = 0 for i = 1, \(round * 4000) do n = n + 1 end return n"
      do throws(LuaError) {
        #expect(try lua.value(text) == .int(Int64(round * 4000)))
        #expect(try lua.value("return 1") == 1, "no kill reaches the next call")
      } catch {
        guard case .timedOut = error else { throw error }
        killCount += 1
        lua = try TestMachine(watchdog: watchdog)
        lua.budget = .milliseconds(4)
      }
    }
    #expect(killCount < 60)
  }

  @Test func `a budget counts on while other machines are called`() throws {
    let watchdog = try #require(Watchdog())
    let inner = try TestMachine(watchdog: watchdog)
    var outer = try TestMachine(
      watchdog: watchdog,
      answer: { (_: [Value?], _: TestMachine.Log) throws(HostRefusal) -> [Argument] in
        _ = failure { () throws(LuaError) in try inner.run("for i = 1, 10000 do end") }
        return []
      })
    outer.budget = .milliseconds(50)
    let error = failure { () throws(LuaError) in
      try outer.run("local moon = require 'moonwire' for i = 1, 20000 do moon.call(1) end")
    }
    guard case .timedOut? = error else {
      Issue.record("ended with \(String(describing: error))")
      return
    }
    #expect(try inner.value("return 1") == 1)
  }

  @Test func `a wrapped coroutine that raised is dead, and its last error is the one told`() throws
  {
    let lua = try TestMachine()
    #expect(
      try lua.value(
        """
        local f = coroutine.wrap(function() error('first', 0) end)
        local g = coroutine.wrap(function()
          local t <close> = setmetatable({}, {__close = function() error('closing', 0) end})
          error('first', 0)
        end)
        local function message(f) return (select(2, pcall(f)):gsub('^.*: ', '')) end
        return {message(f), message(f), message(g), message(g)}
        """) == [
          "first", "cannot resume dead coroutine", "closing", "cannot resume dead coroutine",
        ])
  }

  @Test func `protected calls and coroutines are Lua's in all else`() throws {
    let lua = try TestMachine(watchdog: Watchdog())
    #expect(
      try lua.value(
        """
        local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) error({b}) end)
        local r = {coroutine.resume(co, 1)}
        local ok, e = coroutine.resume(co, 5)
        r[#r + 1] = ok r[#r + 1] = e[1] r[#r + 1] = coroutine.status(co)
        r[#r + 1] = select(2, coroutine.resume(co))
        r[#r + 1] = select(2, pcall(coroutine.wrap(function() return 'w' end)))
        r[#r + 1] = select(2, xpcall(function(x) return x end, type, 'x'))
        r[#r + 1] = select(2, xpcall(error, function(m) return m .. '!' end, 'e'))
        r[#r + 1] = select(2, pcall(xpcall, type, 5)):match 'function expected'
        r[#r + 1] = select('#', pcall(function() return nil, nil end))
        r[#r + 1] = coroutine.wrap(function() return pcall(coroutine.yield, 'y') end)()
        r[#r + 1] = coroutine.close(coroutine.create(type))
        r[#r + 1] = pcall(coroutine.close, (coroutine.running()))
        return r
        """) == [
          true, 2, false, 5, "dead", "cannot resume dead coroutine", "w", "x", "e!",
          "function expected", 3, "y", true, false,
        ])
  }
}
