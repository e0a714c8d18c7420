import Moonwire
import Testing

/// Each failure is reported with its reason, and changes nothing.
struct RoutingErrorsTests {
  /// A module that fails at one step, and the expected report.
  struct Failure: CustomTestStringConvertible {
    let name: String
    let module: String
    var url: Text = "/x"
    let summary: String

    var testDescription: String { name }
  }

  private static let route = "routes = { [\"/x\"] = function() return { title = \"X\" } end },"

  static let failures: [Failure] = [
    Failure(
      name: "nothing takes it", module: route, url: "/y",
      summary: "/y | - | - | - | no route, nearest /x"),
    Failure(
      name: "no URL", module: route, url: "/%zz",
      summary: "/%zz | - | - | - | the % at character 2 isn't followed by two hexadecimal digits"),
    Failure(
      name: "a provider that raises",
      module: "routes = { [\"/x\"] = function() error(\"no\") end },",
      summary: "/x | /x | m | m.lua:2 | fault m route /x m.lua:2 raised(\"no\")"),
    Failure(
      name: "a screen that is no table",
      module: "routes = { [\"/x\"] = function() return 5 end },",
      summary: "/x | /x | m | m.lua:2 | fault m route /x m.lua:2 "
        + "raised(\"a screen is a table such as {title = \"…\"}, not an integer\")"),
    Failure(
      name: "a screen with an unknown field",
      module: "routes = { [\"/x\"] = function() return { titel = \"X\" } end },",
      summary: "/x | /x | m | m.lua:2 | fault m route /x m.lua:2 "
        + "raised(\"a screen has no field 'titel'; did you mean 'title'?\")"),
    Failure(
      name: "a screen's title that is a number",
      module: "routes = { [\"/x\"] = function() return { title = 1 } end },",
      summary: "/x | /x | m | m.lua:2 | fault m route /x m.lua:2 "
        + "raised(\"the screen's title must be a string, not an integer\")"),
    Failure(
      name: "a body beyond the limits",
      module: "routes = { [\"/x\"] = function() return { body = { (\"x\"):rep(70000) } } end },",
      summary: "/x | /x | m | m.lua:2 | fault m route /x m.lua:2 "
        + "raised(\"the screen's body[1]: more than 65536 bytes in a text\")"),
    Failure(
      name: "a function in a screen",
      module: "routes = { [\"/x\"] = function() return { props = { f = print } } end },",
      summary: "/x | /x | m | m.lua:2 | fault m route /x m.lua:2 "
        + "raised(\"props.f: a function can't leave the module\")"),
    Failure(
      name: "an option provider that raises",
      module: route + "routing_options = function() error(\"no\") end,",
      summary: "/x | /x | m | m.lua:2 | fault m option provider all routes m.lua:2 raised(\"no\")"),
    Failure(
      name: "an option that is none", module: route + "routing_options = function() return 7 end,",
      summary: "/x | /x | m | m.lua:2 | fault m option provider all routes m.lua:2 "
        + "raised(\"an option provider returns nothing or an option such as moon.push(): "
        + "an option is made by moon.push() and the like, not an integer\")"),
    Failure(
      name: "an observer that raises",
      module: route + "routing_observers = { will = function() error(\"no\") end },",
      summary: "/x | /x | m | m.lua:2 | fault m routing observer all routes m.lua:2 raised(\"no\")"
    ),
    Failure(
      name: "a decision that is none",
      module: route + "routing_observers = { will = function() return \"/y\" end },",
      summary: "/x | /x | m | m.lua:2 | fault m routing observer all routes m.lua:2 "
        + "raised(\"a routing observer returns nothing to let it pass, false and a reason to "
        + "veto, or moon.redirect(url), not a string\")"),
    Failure(
      name: "a handler that raises",
      module: "handlers = { [\"/x\"] = function() error(\"no\") end },",
      summary: "/x | /x | m | m.lua:2 | fault m handler /x m.lua:2 raised(\"no\")"),
    Failure(
      name: "a handler's answer that is none",
      module: "handlers = { [\"/x\"] = function() return 1 end },",
      summary: "/x | /x | m | m.lua:2 | fault m handler /x m.lua:2 "
        + "raised(\"a handler returns nothing when it is done, false to decline, or "
        + "moon.redirect(url), not an integer\")"),
    Failure(
      name: "a presenter that raises",
      module: route + "presenters = function() error(\"no\") end,",
      summary: "/x | /x | m | m.lua:2 | fault m presenter all routes m.lua:2 raised(\"no\")"),
    Failure(
      name: "a presenter that leaves no screen",
      module: route + "presenters = function(screen) screen.title = 1 end,",
      summary: "/x | /x | m | m.lua:2 | fault m presenter all routes m.lua:2 "
        + "raised(\"a presenter made an invalid screen: title: must be a text\")"),
    Failure(
      name: "a presenter that makes a body beyond the limits",
      module: route + "presenters = function(screen) screen.body = { (\"x\"):rep(70000) } end,",
      summary: "/x | /x | m | m.lua:2 | fault m presenter all routes m.lua:2 "
        + "raised(\"the screen's body[1]: more than 65536 bytes in a text\")"),
    Failure(
      name: "an unknown option",
      module: route
        + "routing_options = function() return require(\"moonwire\").option(\"pish\") end,",
      summary: "/x | /x | m | m.lua:2 | no presenter for pish, nearest push"),
    Failure(
      name: "a redirect that passes a list",
      module: route
        + "routing_observers = { "
        + "will = function() return { redirect = \"/y\", params = { 1 } } end },",
      summary: "/x | /x | m | m.lua:2 | fault m routing observer all routes m.lua:2 "
        + "raised(\"a redirect takes its parameters as a table of names, not a list\")"),
    Failure(
      name: "a routing presenter that raises",
      module: route + "routing_presenters = { show = function() error(\"no\") end },",
      summary: "/x | /x | m | m.lua:2 | fault m routing presenter show m.lua:2 raised(\"no\")"),
    Failure(
      name: "a routing presenter's answer that is none",
      module: route + "routing_presenters = { show = function() return 1 end },",
      summary: "/x | /x | m | m.lua:2 | fault m routing presenter show m.lua:2 "
        + "raised(\"a routing presenter returns nothing, a URL, an action such as "
        + "moon.nav.push(\"/counter\"), or a list of these, not an integer\")"),
    Failure(
      name: "a routing presenter that routes",
      module: route + "routing_presenters = { show = function() return \"/x\" end },",
      summary: "/x | /x | m | m.lua:2 | fault m routing presenter show m.lua:2 "
        + "raised(\"a routing presenter can't route: the screen is made already; return "
        + "something such as moon.nav.push(screen)\")"),
    Failure(
      name: "a hierarchy that can't be changed so",
      module: route
        + "routing_options = function() return { option = \"push\", window = \"w\" } end,",
      summary: "/x | /x | m | m.lua:2 | no window w"),
    Failure(
      name: "an unmatched handler that raises", module: "unmatched = function() error(\"no\") end,",
      summary: "/x | - | - | - | fault m unmatched handler unmatched m.lua:2 raised(\"no\")"),
  ]

  @Test(arguments: failures)
  func `a failure names URL, pattern, module and place, and changes nothing`(
    failure: Failure
  ) async throws {
    let bench = try await Bench([
      "m.lua": "return {\n\(failure.module)\n}",
      "ok.lua": """
      return {
        state = { n = 0 },
        routing_observers = { priority = -1, route = "/x", did = function() error("never") end },
        reducers = { ["nav/*"] = function(s) s.n = s.n + 1 end },
      }
      """,
    ])
    for isInUse in [false, true] {
      if isInUse { try await bench.dispatch("nav/push", ["screen": ["title": "before"]]) }
      let before = await bench.canonicalState()
      let summary = await bench.routingError(of: failure.url)?.summary
      #expect(summary == failure.summary)
      #expect(await bench.canonicalState() == before)
    }
    try await bench.dispatch("nav/push", ["screen": ["title": "after"]])
    #expect(await bench.titles() == ["before", "after"], "the host goes on")
    let failed = await bench.history().filter { $0 == "nav/route failed" }
    #expect(failed.count == 2)
  }

  @Test(
    arguments: [
      ("nav/push", ["screen": ["route": "/x", "params": [1]]], "screen.params"),
      (
        "nav/set", ["root": ["stack": ["/x", ["route": "/x", "params": "no"]]]],
        "root.stack[2].params"
      ),
    ] as [(String, Value, String)])
  func `what is passed without names is refused where it stands`(
    type: String, payload: Value, path: String
  ) async throws {
    let bench = try await Bench(["m.lua": "return {\n\(Self.route)\n}"])
    let error = await bench.failure(of: type, payload)
    #expect(error?.summary.contains("\(path): must be a map") == true, "\(error?.summary ?? "")")
  }

  @Test func `what a routing says of window, motion and origin counts for the screen`()
    async throws
  {
    let bench = try await Bench([
      "m.lua": """
      return {
        routes = { ["/x"] = { option = "push", screen = function() return { title = "X" } end } },
        reducers = { ["nav/push"] = function(s, p)
          s.said = { p.window, tostring(p.animated), p.origin }
        end },
      }
      """
    ])
    #expect(await bench.failure(of: "nav/route", ["url": "/x", "window": "nope"]) != nil)
    try await bench.dispatch(
      "nav/route", ["url": "/x", "window": "main", "animated": false, "origin": "user"])
    #expect(try await bench.state("m") == ["said": ["main", "false", "user"]])
  }

  @Test func `an id that is taken is an error of the routing`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return { routes = { ["/x"] = function() return { id = "only", title = "X" } end } }
      """
    ])
    try await bench.route("/x")
    #expect(
      await bench.routingError(of: "/x")?.summary
        == "/x | /x | m | m.lua:1 | the id only is taken by a screen")
  }

  @Test func `an option that is no option is told`() async throws {
    let bench = try await Bench(["m.lua": "return { \(Self.route) }"])
    let before = await bench.canonicalState()
    #expect(
      await bench.failure(of: "nav/route", ["url": "/x", "option": 5])?.summary.contains(
        "an option is made by moon.push() and the like, not an integer") == true)
    #expect(await bench.canonicalState() == before)
  }

  @Test func `a screen of a URL that only handlers take says so`() async throws {
    let bench = try await Bench(["m.lua": "return { handlers = { [\"/x\"] = function() end } }"])
    do {
      _ = try await bench.host.screen(for: "/x", in: bench.session)
      Issue.record("there is no screen")
    } catch {
      #expect(error == .routing(RoutingErrorsTests.handlersOnly(error)))
      guard case .routing(let routing) = error else { return }
      #expect(routing.summary == "/x | - | - | - | handlers only [/x]")
    }
    #expect(await bench.failure(of: "nav/push", ["screen": "/x"]) != nil)
    #expect(try await bench.state("navigation") == nil)
  }

  private static func handlersOnly(_ error: DispatchError) -> RoutingError {
    guard case .routing(let routing) = error else { preconditionFailure("\(error)") }
    return routing
  }

  @Test func `a did observer that raises is a fault, and the routing has happened`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        \(Self.route)
        routing_observers = { did = function() error("no") end },
        lifecycle = { did_appear = function() error("neither") end },
      }
      """
    ])
    let outcome = try await bench.route("/x")
    #expect(
      outcome.faults.map(\.summary) == [
        "m lifecycle listener did_appear m.lua:4 raised(\"neither\")",
        "m routing observer all routes m.lua:3 raised(\"no\")",
      ])
    #expect(await bench.titles() == ["X"])
  }

  @Test func `dispatching an invalid payload to the router is refused`() async throws {
    let bench = try await Bench()
    #expect(await bench.failure(of: "nav/route", ["url": 5]) != nil)
    #expect(await bench.failure(of: "nav/route") != nil)
    #expect(await bench.failure(of: "nav/push", ["screen": 5]) != nil)
    #expect(await bench.failure(of: "nav/push", ["screen": ["stack": 5, "id": "a"]]) != nil)
    #expect(await bench.failure(of: "nav/set", ["root": ["stack": 5, "id": "a"]]) != nil)
    #expect(await bench.failure(of: "nav/set", ["root": ["tabs": ["a": 5]]]) != nil)
    #expect(await bench.failure(of: "nav/rout", ["url": "/x"]) != nil)
    #expect(try await bench.state("navigation") == nil)
  }

  @Test(arguments: [(1_000, "/r1/x"), (5_000, nil)] as [(Int, Text?)])
  func `a similar pattern is looked for among 32 KB of patterns`(
    count: Int, nearest: Text?
  ) async throws {
    let bench = try await Bench([
      "m.lua": """
      local routes = {}
      for n = 1, \(count) do routes["/r" .. n .. "/x"] = function() end end
      return { handlers = routes }
      """
    ])
    #expect(await bench.routingError(of: "/rr1/x")?.reason == .noRoute(nearest: nearest))
  }
}
