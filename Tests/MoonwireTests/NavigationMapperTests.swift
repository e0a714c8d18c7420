import Moonwire
import Testing

/// Navigating when an action is reduced.
struct NavigationMapperTests {
  private static let app = """
    return {
      state = { n = 0 },
      actions = { go = "Goes" },
      reducers = { go = function(s) s.n = s.n + 1 end },
      routes = {
        ["/x/:n"] = function(r, slice) return { title = r.params.n .. "/" .. slice.n } end,
      },
    }
    """

  private static func bench(_ mapper: String) async throws -> Bench {
    try await Bench([
      "app.lua": app,
      "m.lua": "local moon = require \"moonwire\"\nreturn { map_navigation = \(mapper) }",
    ])
  }

  @Test func `URLs and actions, alone and in lists of any depth, are done in order`() async throws {
    let bench = try await Self.bench(
      """
      { ["app/go"] = function()
        return { "/x/1", { { "/x/2", moon.nav.push "/x/3" }, moon.nav.pop() }, moon.route("/x/4") }
      end }
      """)
    let outcome = try await bench.dispatch("app/go")
    #expect(outcome.failures.isEmpty)
    #expect(await bench.titles() == ["1/1", "2/1", "4/1"], "the state is that after the action")
    let entries = await bench.host.history(of: bench.session).entries
    #expect(
      entries.map { "\($0.action.type) \($0.action.meta.cause) \($0.action.meta.parent ?? 0)" } == [
        "app/go native 0", "nav/route m navigation mapper 1", "nav/show m navigation mapper 2",
        "nav/route m navigation mapper 1", "nav/show m navigation mapper 3",
        "nav/push m navigation mapper 1", "nav/pop m navigation mapper 1",
        "nav/route m navigation mapper 1", "nav/show m navigation mapper 6",
      ])
  }

  @Test func `all mappers of an action are asked, in the order of modules`() async throws {
    // Conformance 61.
    let bench = try await Bench([
      "app.lua": app(),
      "b.lua": "return { map_navigation = { [\"app/go\"] = function() return \"/x/b\" end } }",
      "a.lua": """
      return { map_navigation = {
        ["app/*"] = function() return "/x/a" end,
      } }
      """,
      "c.lua": "return { map_navigation = function(action) return \"/x/c\" end }",
    ])
    try await bench.dispatch("app/go")
    #expect(await bench.titles() == ["a/1", "b/1", "c/1"])
  }

  private func app() -> String { Self.app }

  @Test func `nothing is done for no answer`() async throws {
    for answer in ["", "nil", "false", "{}", "{ {}, { false } }"] {
      let bench = try await Self.bench("function() return \(answer) end")
      #expect(try await bench.dispatch("app/go").faults.isEmpty, "\(answer)")
      #expect(try await bench.state("navigation") == nil)
    }
  }

  @Test func `wrong answers are faults, and the action stays done`() async throws {
    for answer in ["5", "true", "{ type = \"app/go\" }", "{ \"/x/1\", 5 }", "\"pop\", 1"] {
      let bench = try await Self.bench("{ [\"app/go\"] = function() return \(answer) end }")
      let outcome = try await bench.dispatch("app/go")
      if answer.hasPrefix("\"pop") {
        #expect(outcome.failures.count == 1, "pop is a URL without a route")
      } else {
        #expect(
          outcome.faults.first?.summary.hasPrefix(
            "m navigation mapper app/go m.lua:2 raised(\"a navigation mapper returns nothing, a URL"
          ) == true, "\(answer)")
      }
      #expect(try await bench.state("app.n") == 1)
      #expect(try await bench.state("navigation") == nil)
    }
  }

  @Test func `in Swift another action is a fault, too`() async throws {
    let bench = try await Bench(
      ["app.lua": Self.app],
      adding: [
        {
          try Module("m") { module in
            module.navigationMappers = [
              NavigationMapper(.exact("app/go")) { _, _ in [.route("/x/1"), Action("app/go")] }
            ]
          }
        }
      ])
    let outcome = try await bench.dispatch("app/go")
    #expect(
      outcome.faults.map(\.summary) == [
        "m navigation mapper app/go - raised(\"a navigation mapper returns actions of the "
          + "navigation, such as nav/push, not app/go\")"
      ])
    #expect(try await bench.state("app.n") == 1)
    #expect(try await bench.state("navigation") == nil)
  }

  @Test func `one that raises is a fault, and the next is asked`() async throws {
    let bench = try await Bench([
      "app.lua": Self.app,
      "a.lua": "return { map_navigation = function() error(\"no\") end }",
      "b.lua": "return { map_navigation = function() return \"/x/1\" end }",
    ])
    let outcome = try await bench.dispatch("app/go")
    #expect(outcome.faults.map(\.summary) == ["a navigation mapper * a.lua:1 raised(\"no\")"])
    #expect(await bench.titles() == ["1/1"])
  }

  @Test func `an action that failed isn't mapped`() async throws {
    let bench = try await Bench([
      "app.lua": "return { state = {}, reducers = { go = function() error(\"no\") end } }",
      "m.lua": "return { map_navigation = function() return \"/x/1\" end }",
    ])
    #expect(await bench.failure(of: "app/go") != nil)
    #expect(await bench.history() == ["app/go failed"])
  }

  @Test func `what was put in place of an action is mapped, and what was replaced isn't`()
    async throws
  {
    let bench = try await Bench([
      "app.lua": """
      return {
        state = {}, actions = { go = "", went = "" },
        routes = { ["/x/:n"] = function(r) return { title = r.params.n } end },
        middleware = { on = "app/go", run = function() return { type = "app/went" } end },
        map_navigation = {
          go = function() return "/x/go" end, went = function() return "/x/went" end,
        },
      }
      """
    ])
    try await bench.dispatch("app/go")
    #expect(await bench.titles() == ["went"])
  }

  @Test func `too much at once is a fault, of a presenter as well`() async throws {
    let bench = try await Bench([
      "app.lua": Self.app,
      "m.lua": """
      local moon = require "moonwire"
      local function pushes(count)
        local all = {}
        for i = 1, count do all[i] = moon.nav.push { title = "x" } end
        return all
      end
      return {
        actions = { much = "", most = "" },
        map_navigation = {
          much = function() return pushes(257) end, most = function() return pushes(256) end,
        },
        routing_presenters = { much = function() return pushes(257) end },
      }
      """,
    ])
    let outcome = try await bench.dispatch("m/much")
    #expect(outcome.faults.first?.summary.contains("256 actions at most, not 257") == true)
    #expect(try await bench.state("navigation") == nil)
    let error = await bench.routingError(of: "/x/1", [:], RoutingOption("much"))
    #expect(error?.summary.contains("a routing presenter returns 256 actions at most") == true)
    try await bench.dispatch("m/most")
    #expect(await bench.screens().count == 256)
  }
}
