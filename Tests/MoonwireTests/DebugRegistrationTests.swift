import MoonTestSupport
import Moonwire
import Testing

/// Modules and registrations with `debug = true`.
struct DebugRegistrationTests {
  private static let files = [
    "m.lua": """
    return {
      state = { n = 0, seen = 0, traced = 0, data = { debug = true } },
      actions = { add = {}, note = {}, trace = {} },
      reducers = {
        add = function(s) s.n = s.n + 1 end, note = function(s) s.seen = s.seen + 1 end,
        trace = function(s) s.traced = s.traced + 1 end,
      },
      effects = {
        add = { debug = true, run = function(_, self) self.dispatch "trace" end },
      },
      observe = { ["m.n"] = function(_, _, self) self.dispatch "note" end },
      middleware = { { run = function() end }, { debug = true, on = "m/never",
        run = function() return false end } },
      commands = { dump = { debug = true, run = function() return 1 end } },
      schedules = { never = { every = 1e6, debug = true } },
    }
    """,
    "tools.lua": """
    return { debug = true, state = { n = 0 }, reducers = { ["m/add"] = function(s) s.n = 1 end } }
    """,
  ]

  @Test(arguments: [false, true])
  func `what is for debugging is there only on a host that debugs`(isDebugging: Bool) async throws {
    var options = Bench.quiet
    options.isDebugging = isDebugging
    let bench = try await Bench(Self.files, options: options)
    #expect(try await bench.info("m")?.problems.isEmpty == true)
    try await bench.dispatch("m/add")
    #expect(
      try await bench.state("m") == [
        "n": 1, "seen": 1, "traced": isDebugging ? 1 : 0, "data": ["debug": true],
      ])
    #expect(try await bench.state("tools") == (isDebugging ? ["n": 1] : nil))
  }

  @Test func `debug is true or false`() async throws {
    let bench = try await Bench(["m.lua": "return { debug = 1 }"])
    #expect(try await bench.info("m")?.problems.count == 1)
  }
}
