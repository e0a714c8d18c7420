import Moonwire
import Testing

/// A module that floods the queue takes neither places nor turns from the others.
///
/// Invariant 11: only the module that fills the queue is affected.
struct FairTurnsTests {
  private static func flood(_ count: Int) -> String {
    """
    return { state = { n = 0, done = 0 }, reducers = {
        go = function(s) s.n = s.n + 1 end, count = function(s) s.done = s.done + 1 end },
      observe = { ["flood.n"] = function(_, _, self)
        for i = 1, \(count) do
          if not pcall(self.dispatch, "count") then break end
        end
      end } }
    """
  }

  private static let calm = """
    return { state = { seen = 0, done = 0, place = 0 }, reducers = {
        ["flood/go"] = function(s) s.seen = s.seen + 1 end,
        ["flood/count"] = function(s) s.place = s.place + (s.done < 5 and 1 or 0) end,
        count = function(s) s.done = s.done + 1 end },
      observe = { ["zcalm.seen"] = function(_, _, self)
        for i = 1, 5 do self.dispatch("count") end
      end } }
    """

  @Test func `a module that fills the queue doesn't take the places of the others`() async throws {
    let bench = try await Bench([
      "flood.lua": Self.flood(20_000), "zcalm.lua": Self.calm,
    ])
    let outcome = try await bench.dispatch("flood/go")
    #expect(try await bench.state("zcalm.done") == 5)
    #expect(try await bench.state("flood.done") == 9_995)
    #expect(outcome.failures.map(\.error) == Array(repeating: .displaced(max: 10_000), count: 5))
    #expect(outcome.faults.map(\.module) == Array(repeating: "flood", count: 5))
    #expect(try await bench.info("zcalm")?.faults == 0)
  }

  @Test func `who dispatches after a flood waits for a hundred of it and not for all`()
    async throws
  {
    let bench = try await Bench(["flood.lua": Self.flood(5_000), "zcalm.lua": Self.calm])
    try await bench.dispatch("flood/go")
    #expect(try await bench.state("zcalm.place") == 100)
    #expect(try await bench.state("flood.done") == 5_000)
  }

  @Test func `a module that answers itself forever is stopped alone`() async throws {
    let bench = try await Bench([
      "loop.lua": """
      return { state = { n = 0 }, reducers = { go = function(s) s.n = s.n + 1 end },
        observe = { ["loop.n"] = function(_, _, self) self.dispatch("go") end } }
      """,
      "zcalm.lua": """
      return { state = { n = 0, done = 0 }, reducers = {
          ["loop/go"] = function(s) s.n = s.n + 1 end, done = function(s) s.done = s.done + 1 end },
        observe = { ["zcalm.n"] = function(n, _, self)
          if n % 1000 == 0 then self.dispatch("done") end
        end } }
      """,
    ])
    let outcome = try await bench.dispatch("loop/go")
    #expect(outcome.failures.map(\.error) == [.tooManyFollowing(max: 10_000, dropped: 0)])
    #expect(outcome.failures.map(\.action.type) == ["loop/go"])
    #expect(try await bench.state("zcalm.done") == 9)
  }

  @Test func `a hundred tasks with long turns leave others their turns`() async throws {
    let bench = try await Bench([
      "agreedy.lua": """
      local moon = require "moonwire"
      return moon.module { state = { turns = 0 },
        reducers = { turn = function(s) s.turns = s.turns + 1 end },
        effects = { go = function(_, self)
          for i = 1, 100 do
            moon.spawn(function()
              for j = 1, 3 do
                local start = os.clock()
                while os.clock() < start + 0.02 do end
                self.dispatch "turn"
                moon.sleep(0)
              end
            end)
          end
          self.dispatch("zpolite/go")
        end } }
      """,
      "zpolite.lua": """
      local moon = require "moonwire"
      return moon.module { state = { turns = 0, before = moon.list() },
        reducers = {
          turn = function(s) s.turns = s.turns + 1 end,
          ["agreedy/turn"] = function(s) if s.turns < 5 then s.before[#s.before + 1] = 1 end end },
        effects = { go = function(_, self)
          for j = 1, 5 do moon.sleep(0) self.dispatch "turn" end
        end } }
      """,
    ])
    try await bench.dispatch("agreedy/go")
    _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(100))
    #expect(try await bench.state("zpolite.turns") == 5)
    #expect(try await bench.state("agreedy.turns") == 300)
    let before = try await bench.state("zpolite.before")?.listValue?.count
    // Each of its turns, and each of its actions, waits for the host's turn of 100 ms to end. Taken
    // in the order in which they came, all 300 would be first.
    #expect(try #require(before) < 150)
  }

  @Test func `a module that navigates in a circle leaves the others their navigation`() async throws
  {
    let bench = try await Bench([
      "circle.lua": """
      return { state = { n = 0 }, reducers = { go = function(s) s.n = s.n + 1 end },
        routes = { ["/circle"] = function() return {} end },
        map_navigation = {
          ["circle/go"] = function() return require("moonwire").nav.push "/circle" end,
          ["nav/push"] = function() return require("moonwire").nav.push "/circle" end } }
      """,
      "zcalm.lua": """
      return { state = { n = 0 }, routes = { ["/calm"] = function() return { title = "Calm" } end },
        reducers = { ["nav/push"] = function(s) s.n = s.n + 1 end },
        map_navigation = { ["zcalm/go"] = function()
          return require("moonwire").nav.push "/calm" end },
        observe = { ["zcalm.n"] = function(n, _, self)
          if n == 60 then self.route("/calm") end
        end } }
      """,
    ])
    let outcome = try await bench.dispatch("circle/go")
    let titles = outcome.navigation?.after.screens.map(\.title) ?? []
    #expect(titles.contains("Calm"))
    #expect(
      outcome.failures.allSatisfy {
        if case .tooManyNavigations = $0.error {
          $0.action.meta.cause.description.hasPrefix("circle")
        } else {
          false
        }
      })
  }
}
