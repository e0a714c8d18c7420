import MoonTestSupport
import Moonwire
import Testing

/// Who takes a URL by more than its pattern.
struct ConditionalRouteTests {
  private static func app(_ condition: String) -> String {
    """
    local function titled(title) return function() return { title = title } end end
    return {
      state = { on = false },
      reducers = { switch = function(state) state.on = not state.on end },
      routes = {
        ["/x/:id"] = { priority = 1, when = \(condition), screen = titled("first") },
        ["/x/:any"] = titled("second"),
      },
    }
    """
  }

  @Test func `a route takes a URL if its condition says so`() async throws {
    let bench = try await Bench(["m.lua": Self.app("function(route, state) return state.on end")])
    try await bench.route("/x/1")
    try await bench.dispatch("m/switch")
    try await bench.route("/x/1")
    #expect(await bench.titles() == ["second", "first"])
  }

  @Test func `a condition sees the parameters, and what was passed`() async throws {
    let condition = "function(route) return route.params.id == '7' or route.params.force end"
    let bench = try await Bench(["m.lua": Self.app(condition)])
    try await bench.route("/x/1")
    try await bench.route("/x/7")
    try await bench.route("/x/1", ["force": true])
    #expect(await bench.titles() == ["second", "first", "first"])
  }

  @Test func `a condition may add parameters, which replace others`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return { routes = { ['/x/:id'] = {
        when = function(route)
          if route.params.id ~= '0' then return { half = route.params.id / 2, kind = 'even' } end
        end,
        screen = function(route)
          local p = route.params
          return { title = p.id .. ' ' .. p.half .. ' ' .. p.kind }
        end,
      } } }
      """
    ])
    try await bench.route("/x/4?kind=odd")
    #expect(await bench.titles() == ["4 2.0 even"])
    #expect(await bench.screens().map(\.parameters["half"]) == [2.0])
    #expect(await bench.routingError(of: "/x/0")?.reason == .declined(["/x/:id"]))
  }

  @Test func `nobody else is asked about a route that doesn't take the URL`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "a.lua": """
        return { handlers = { ['/x'] = { priority = 2,
          when = function() print 'when handler' return false end,
          run = function() print 'handler' end } } }
        """,
        "b.lua": """
        return { routes = { ['/x'] = { priority = 1, when = function() print 'when screen' end,
          screen = function() print 'never' end } } }
        """,
        "c.lua": """
        return {
          routes = { ['/x'] = function(route) print 'screen' return {} end },
          routing_options = function(route) print('option ' .. route.module) end,
          routing_observers = { will = function(route) print('will ' .. route.module) end },
        }
        """,
      ])
    try await bench.route("/x")
    #expect(notes.all == ["when handler", "when screen", "option c", "will c", "screen"])
  }

  @Test func `if all leave it, the URL was declined`() async throws {
    let bench = try await Bench([
      "m.lua": "return { handlers = { ['/x'] = { when = function() end, run = print } } }"
    ])
    #expect(await bench.routingError(of: "/x")?.reason == .declined(["/x"]))
  }

  @Test(
    arguments: [
      ("function() error('no', 0) end", "raised(\"no\")"),
      ("function() return 'yes' end", "not a string"),
      ("function() return { 1 } end", "not a list"),
    ])
  func `a condition that fails leaves the URL to others, and is told`(
    condition: String, reason: String
  ) async throws {
    let bench = try await Bench(["m.lua": Self.app(condition)])
    let outcome = try await bench.route("/x/1")
    #expect(await bench.titles() == ["second"])
    #expect(outcome.faults.count == 1)
    let fault = try #require(outcome.faults.first)
    #expect("\(fault.reason)".contains(reason))
    #expect(outcome.faults.first?.place == SourcePlace(file: "m.lua", line: 6))
  }

  @Test func `if no other takes it, the failure is why the URL wasn't routed`() async throws {
    let bench = try await Bench([
      "m.lua": "return { routes = { ['/x'] = { when = function() error('no', 0) end,"
        + " screen = function() return {} end } } }"
    ])
    guard case .fault(let fault)? = await bench.routingError(of: "/x")?.reason else {
      Issue.record("the failure is the reason")
      return
    }
    #expect(fault.reason == .raised("no"))
  }

  @Test func `a screen that is there stays when its route would leave the URL now`() async throws {
    let source = """
      local title = "one"
      return {
        state = { off = false },
        reducers = { go = function(state) state.off = true end },
        routes = { ['/x'] = { when = function(route, state) return not state.off end,
          screen = function() return { title = title } end } },
      }
      """
    let bench = try await Bench(["m.lua": source])
    try await bench.route("/x")
    try await bench.dispatch("m/go")
    try bench.folder.save("m.lua", source.replacing("\"one\"", with: "\"two\""))
    try await bench.host.load()
    let screen = try #require(await bench.topScreen())
    #expect(!screen.isPlaceholder)
    #expect(screen.title == "two")
  }

  @Test(
    arguments: [
      ("routes = { ['/x'] = { when = 5, screen = print } }", "when"),
      ("handlers = { ['/x'] = { wehn = print, run = print } }", "when"),
      ("routes = { ['/x'] = { wen = print, screen = print } }", "when"),
    ])
  func `what isn't a condition is a problem`(entry: String, named: String) async throws {
    let bench = try await Bench(["m.lua": "return {\n  \(entry),\n}"])
    let problems = try await bench.info("m")?.problems ?? []
    #expect(problems.count == 1)
    #expect(problems.first?.place == SourcePlace(file: "m.lua", line: 2))
    #expect(problems.first?.description.contains(named) ?? false)
  }

  @Test func `a module in Swift has conditions, too`() async throws {
    let bench = try await Bench(adding: [
      {
        let pattern = try RoutePattern(parsing: "/x/:id<int>")
        return try Module("m") { module in
          module.routes = [
            Route(pattern, when: { route, _ in route.parameters["id"] == 7 ? Map() : nil }) {
              _, _ in
              Screen(id: "", title: "seven")
            }
          ]
        }
      }
    ])
    try await bench.route("/x/7")
    #expect(await bench.titles() == ["seven"])
    #expect(await bench.routingError(of: "/x/8")?.reason == .declined(["/x/:id<int>"]))
  }
}
