import Moonwire
import Testing

/// A failing listener loses its own changes, and no others are affected.
///
/// Invariant 7: a listener that fails loses its own changes and nothing else.
struct ListenerFaultTests {
  private static let owner = """
    return {
      state = { n = 0 },
      reducers = { add = function(s) s.n = s.n + 1 end },
      routes = { ["/owner"] = function() return { title = "Owner" } end },
    }
    """

  @Test func `a foreign reducer that fails loses its own change, and the action stands`()
    async throws
  {
    let bench = try await Bench([
      "owner.lua": Self.owner,
      "after.lua": """
      return { state = { seen = 0 },
        reducers = { ["owner/add"] = function(s) s.seen = s.seen + 1 end } }
      """,
      "bad.lua": """
      return { state = { first = 0, failing = 0, last = 0 }, reducers = {
        -- Runs before the one that fails, as `*` comes before `owner/`.
        ["*"] = function(s, _, action)
          if action.type == "owner/add" then s.first = s.first + 1 end
        end,
        ["owner/*"] = function(s) s.failing = s.failing + s.first error("no") end,
        ["owner/add"] = function(s) s.last = s.last + 1 end,
      } }
      """,
    ])
    let outcome = try await bench.dispatch("owner/add")
    #expect(outcome.summary == ["after.seen 0 → 1", "owner.n 0 → 1"])
    #expect(
      outcome.faults.map(\.summary) == ["bad reducer owner/* bad.lua:6 raised(\"no\")"])
    #expect(await bench.history().last == "owner/add ok")
  }

  @Test func `the owner's reducer that fails takes everything back`() async throws {
    let bench = try await Bench([
      "a.lua": "return { state = { n = 0 }, reducers = { ['b/add'] = function(s) s.n = 1 end } }",
      "b.lua": """
      return { state = { n = 0 }, reducers = {
        add = function(s) s.n = 1 end, ["b/*"] = function() error("no") end } }
      """,
    ])
    _ = await bench.failure(of: "b/add")
    #expect(try await bench.state("a.n") == 0)
    #expect(try await bench.state("b.n") == 0)
  }

  @Test func `reducers that fail nine times of ten are suspended, and the owner never fails`()
    async throws
  {
    let bench = try await Bench([
      "owner.lua": Self.owner,
      "bad.lua": """
      return { state = { n = 0 }, reducers = {
        ["owner/add"] = function(s, _, action)
          if action.meta.id % 10 ~= 0 then error("no") end
          s.n = s.n + 1
        end } }
      """,
    ])
    for _ in 0..<40 { try await bench.dispatch("owner/add") }
    #expect(try await bench.state("owner.n") == 40)
    #expect(try await bench.info("bad")?.status == .suspended)
    #expect(try await bench.info("bad")?.faults == 20)
    #expect(try await bench.info("owner")?.faults == 0)
  }

  @Test func `a listener that runs too long costs its part, and the owner keeps its turn`()
    async throws
  {
    var options = Bench.quiet
    options.budgets[.reducer] = .milliseconds(30)
    let bench = try await Bench(
      [
        "owner.lua": Self.owner,
        "bad.lua": """
        return { state = {}, reducers = { ["owner/add"] = function() while true do end end } }
        """,
      ], options: options)
    for _ in 0..<6 { try await bench.dispatch("owner/add") }
    #expect(try await bench.state("owner.n") == 6)
    #expect(try await bench.info("bad")?.status == .suspended)
    #expect(try await bench.info("bad")?.faults == 4)
  }

  @Test func `reducers that listen to the navigation can't stop it`() async throws {
    let bench = try await Bench([
      "owner.lua": Self.owner,
      "bad.lua": "return { state = {}, reducers = { ['nav/*'] = function() error('no') end } }",
    ])
    let outcome = try await bench.dispatch("nav/route", ["url": "/owner"])
    #expect(!outcome.faults.isEmpty)
    #expect(outcome.navigation?.after.screens.map(\.title) == ["Owner"])
  }

  @Test func `a foreign mapper that fails makes nothing, and the others' parts stay`() async throws
  {
    let bench = try await Bench([
      "owner.lua": Self.owner,
      "a.lua": """
      return { state = { started = 0 },
        map_modules = { ["owner/add"] = function()
          return require("moonwire").start("a")
        end },
        reducers = { start = function(s) s.started = s.started + 1 end } }
      """,
      "bad.lua": "return { map_modules = { ['owner/add'] = function() error('no') end } }",
      "worse.lua": """
      return { map_modules = { ["owner/add"] = function()
        return require("moonwire").start("nobody")
      end } }
      """,
    ])
    let outcome = try await bench.dispatch("owner/add")
    #expect(outcome.summary == ["a.started 0 → 1", "owner.n 0 → 1"])
    #expect(outcome.faults.map(\.module) == ["bad", "worse"])
    #expect(outcome.failures.isEmpty)
  }

  @Test func `mappers that start each other in a circle cost what they made, not the action`()
    async throws
  {
    let moon = "local moon = require 'moonwire'\n"
    let bench = try await Bench([
      "owner.lua": Self.owner,
      "a.lua": moon
        + "return { map_modules = { ['owner/add'] = function() return moon.start 'b' end,\n"
        + "  ['c/start'] = function() return moon.start 'b' end } }",
      "b.lua": "return { state = {} }",
      "c.lua": moon
        + "return { state = {}, map_modules = { ['b/start'] = function()\n"
        + "  return moon.start 'c' end } }",
    ])
    let outcome = try await bench.dispatch("owner/add")
    #expect(outcome.summary == ["owner.n 0 → 1"])
    #expect(outcome.faults.map(\.module) == ["a"])
    #expect(outcome.followingCount == 0)
  }

  @Test func `presenters and option providers of other modules that fail are left out`()
    async throws
  {
    let bench = try await Bench([
      "owner.lua": Self.owner,
      "bad.lua": """
      return {
        presenters = { route = "/owner", run = function() error("no presenter") end },
        routing_options = function() error("no option") end,
        unmatched = function() error("no unmatched") end,
      }
      """,
      "good.lua": """
      return { presenters = function(screen) screen.title = screen.title .. "!" end }
      """,
    ])
    let outcome = try await bench.dispatch("nav/route", ["url": "/owner"])
    #expect(outcome.navigation?.after.screens.map(\.title) == ["Owner!"])
    #expect(outcome.faults.map(\.registration.kind) == [.optionProvider, .presenter])
  }

  @Test func `middleware that fails still stops an action, as a guard must`() async throws {
    let bench = try await Bench([
      "owner.lua": Self.owner,
      "guard.lua": "return { middleware = { on = 'owner/*', run = function() error('no') end } }",
    ])
    _ = await bench.failure(of: "owner/add")
    #expect(try await bench.state("owner.n") == 0)
  }

  @Test func `a whole-state reducer of another module that fails changes nothing`() async throws {
    let bench = try await Bench(
      ["owner.lua": Self.owner],
      adding: [
        {
          try Module("whole") { module in
            module.wholeStateReducers = [
              Reducer(.exact("owner/add")) { state, _ in
                state = ["owner": ["n": 100]]
                throw HostError.noThread
              },
              Reducer(.exact("owner/add")) { state, _ in
                state = ["owner": ["n": 100], "navigation": "nowhere"]
              },
            ]
          }
        }
      ])
    let outcome = try await bench.dispatch("owner/add")
    #expect(outcome.summary == ["owner.n 0 → 1"])
    #expect(outcome.faults.count == 2)
  }
}
