import MoonTestSupport
import Moonwire
import Testing

/// Invariant 8: reducers have no clock and no randomness.
struct PurityTests {
  private static func module(_ body: String) -> [String: String] {
    [
      "m.lua": """
      local moon = require "moonwire"
      local kept
      return moon.module {
        state = { n = 0, rolls = {} },
        on_start = function(self) kept = self end,
        reducers = { go = function(state, payload, action)
          \(body)
        end },
      }
      """
    ]
  }

  @Test(arguments: [
    ("kept.dispatch('go')", "dispatching"), ("kept.state('m')", "looking at other modules' state"),
    ("os.time()", "os.time"), ("os.date()", "os.date"), ("os.clock()", "os.clock"),
    ("collectgarbage('count')", "collectgarbage"),
  ])
  func `what a reducer's result mustn't depend on is out of reach`(
    body: String, what: String
  ) async throws {
    let bench = try await Bench(Self.module(body))
    let error = await bench.failure(of: "m/go")
    #expect(
      error?.summary
        == "m reducer m/go m.lua:7 raised(\"\(what) isn't available in a reducer: its result must "
        + "depend on the state and the action alone\")")
    #expect(await bench.history() == ["m/go failed"])
  }

  @Test(arguments: [
    ("os.time", "os.time"), ("moon.sleep", "waiting"),
    ("kept.state", "looking at other modules' state"),
  ])
  func `a refusal that a reducer catches names its own line`(
    function: String, what: String
  ) async throws {
    let bench = try await Bench(Self.module("state.why = select(2, pcall(\(function), 1))"))
    try await bench.dispatch("m/go")
    #expect(
      try await bench.state("m.why")?.stringValue?.hasPrefix("m.lua:7: \(what) isn't available")
        == true)
  }

  @Test(arguments: [
    "io.open", "debug.getinfo", "package.path", "package.loaded.string", "dofile", "loadfile",
    "os.execute", "os.getenv", "os.exit",
  ])
  func `there is no way out of the script directory`(name: String) async throws {
    let bench = try await Bench(Self.module("state.n = (\(name)) == nil and 1 or 2"))
    try await bench.dispatch("m/go")
    #expect(try await bench.state("m.n") == 1)
  }

  @Test func `bytecode isn't loaded`() async throws {
    let bench = try await Bench(
      Self.module("state.n = load('\\27Lua') == nil and string.dump == nil and 1 or 2"))
    try await bench.dispatch("m/go")
    #expect(try await bench.state("m.n") == 1)
  }

  @Test func `clocks are there outside of reducers`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        state = { ok = false },
        reducers = { set = function(s, p) s.ok = p.ok end },
        on_start = function(self)
          self.dispatch("set", { ok = os.time() > 0 and os.clock() >= 0 and #os.date() > 0 })
        end,
      }
      """
    ])
    #expect(try await bench.state("m.ok") == true)
  }

  @Test func `randomness in a reducer is that of the action`() async throws {
    let files = Self.module(
      "for i = 1, 4 do table.insert(state.rolls, moon.random(1000)) end state.n = math.random()")
    let first = try await Bench(files)
    let second = try await Bench(files)
    for _ in 0..<3 {
      try await first.dispatch("m/go")
      try await second.dispatch("m/go")
    }
    let rolls = try #require(try await first.state("m.rolls")?.listValue).compactMap(\.intValue)
    #expect(Set(rolls).count > 6)
    #expect(try await first.state() == second.state())
  }

  @Test func `random numbers differ between modules`() async throws {
    let text = """
      local moon = require "moonwire"
      return { state = {}, reducers = { ["a/go"] = function(s) s.roll = moon.random(0) end } }
      """
    let bench = try await Bench(["a.lua": text, "b.lua": text])
    try await bench.dispatch("a/go")
    #expect(try await bench.state("a.roll") != bench.state("b.roll"))
  }

  @Test func `a reducer sees the action's time, number, cause and parent`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        state = { seen = {} },
        reducers = { ["*"] = function(state, _, action)
          local meta = action.meta
          table.insert(state.seen, table.concat({
            action.type, meta.id, meta.time, meta.cause, tostring(meta.parent),
          }, " "))
        end, go = function(state) state.n = 1 end, next = function() end },
        observe = { ["m.n"] = function(_, _, self) self.dispatch("next") end },
      }
      """
    ])
    try await bench.host.dispatch(Action("m/go"), to: bench.session, cause: .prompt)
    #expect(
      try await bench.state("m.seen") == [
        "nav/did_start 1 1000.25 host nil", "host/started 2 1000.25 host nil",
        "m/go 3 1000.25 prompt nil", "m/next 4 1000.25 m observer 3",
      ])
  }

  @Test func `migrate is as pure as a reducer`() async throws {
    let bench = try await Bench(["m.lua": "return { state = { n = 1 } }"])
    try bench.folder.save(
      "m.lua",
      """
      return { version = 2, state = { n = 1 }, migrate = function(old)
        old.n = os.time()
        return old
      end }
      """
    )
    let events = await bench.host.reload(ModuleName("m"))
    #expect(
      events.map(\.summary) == [
        "failed m running 1: m.lua:2 raised(\"os.time isn't available in migrate: its result must "
          + "depend on the state and the action alone\")"
      ])
    #expect(try await bench.state("m.n") == 1)
  }
}
