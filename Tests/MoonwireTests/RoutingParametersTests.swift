import MoonTestSupport
import Moonwire
import Testing

/// The parameters that scripts get from a URL, and the route that takes it.
struct RoutingParametersTests {
  /// Returns a module whose screens have their parameters as titles.
  private static func showing(_ patterns: String...) -> [String: String] {
    let routes = patterns.map { "[\"\($0)\"] = show" }.joined(separator: ", ")
    return [
      "m.lua": """
      local moon = require "moonwire"
      local function show(route)
        return { title = route.pattern, props = route }
      end
      return { routes = { \(routes) } }
      """
    ]
  }

  private static func route(
    _ url: Text, _ passed: Map = Map(), by patterns: String, options: HostOptions? = nil
  ) async throws -> Value {
    let bench = try await Bench(showing(patterns), options: options)
    try await bench.route(url, passed)
    return try #require(await bench.topScreen()?.props)
  }

  @Test func `what makes and presents a screen gets a draft, what follows may keep the route`()
    async throws
  {
    let bench = try await TaskBench([
      "m.lua": """
      local moon = require "moonwire"
      local kept = {}
      local function keep(name, route)
        kept[name] = route
        route.params.id = route.params.id .. name
        return route.params.id
      end
      return {
        routes = {
          ["/x/:id"] = { when = function(route) return keep("w", route) ~= nil end,
            screen = function(route) return { title = keep("s", route), props = route.params } end },
        },
        handlers = { ["/y/:id"] = function(route) keep("h", route) end },
        routing_options = function(route) keep("o", route) end,
        presenters = function(screen, route)
          screen.title = screen.title .. " " .. keep("p", route)
        end,
        routing_observers = {
          will = function(route) keep("g", route) moon.sleep(1) kept.g.params.id = "later" end,
          did = function(route) keep("d", route) end,
        },
        commands = {
          look = { "Reads a route that was kept", name = "string", run = function(payload)
            local is_readable, found = pcall(function() return kept[payload.name].params.id end)
            return is_readable and found or "gone"
          end },
        },
      }
      """
    ])
    try await bench.host.route("/x/1", in: bench.session)
    await bench.pass(1)
    let screen = try #require(await bench.bench.topScreen())
    #expect(screen.title == "1s 1p")
    #expect(screen.props["id"] == "1s")
    #expect(screen.parameters["id"] == "1")
    try await bench.host.route("/y/1", in: bench.session)
    await bench.pass(1)
    for (name, found) in [
      ("w", "gone"), ("s", "gone"), ("o", "gone"), ("p", "gone"), ("g", "later"), ("h", "1h"),
      ("d", "1d"),
    ] as [(Text, Value)] {
      let answer = try await bench.host.call(
        "m/look", ["name": .string(name)], in: bench.session)
      #expect(answer == found, "\(name)")
    }
  }

  @Test func `passed parameters win over the path's, these over the query's`() async throws {
    let route = try await Self.route(
      "/x/path?id=query&a=query&b=query&b=2", ["a": ["passed": 1]], by: "/x/:id")
    let params = try #require(route["params"]?.mapValue)
    #expect(params["id"] == "path")
    #expect(params["a"] == ["passed": 1])
    #expect(params["b"] == ["query", "2"])
    let overridden = try await Self.route("/x/path", ["id": 7], by: "/x/:id")
    #expect(overridden["params"]?["id"] == 7)
  }

  @Test func `a wildcard has its three names, a route its ancestors' names`() async throws {
    let route = try await Self.route("app://x/a%20b/c+d?q=1", by: "/x/*")
    #expect(route["wildcard"] == ["a b", "c+d"])
    #expect(route["params"]?["wildcard"] == ["a b", "c+d"])
    #expect(route["params"]?["*"] == ["a b", "c+d"])
    #expect(route["params"]?["JLRouteWildcardComponents"] == ["a%20b", "c+d"])
    #expect(route["JLRoutePattern"] == "/x/*")
    #expect(route["RoutePattern"] == "/x/*")
    #expect(route["JLRouteURL"] == "app://x/a%20b/c+d?q=1")
    #expect(route["RouteURL"] == route["url"])
    #expect(route["JLRouteScheme"] == "JLRoutesGlobalRoutesScheme")
    #expect(route["module"] == "m")
    #expect(route["scheme"] == nil)
    let screen = try await Self.route("/x?wildcard=mine", by: "/x/*")
    #expect(screen["wildcard"] == [])
    #expect(screen["params"]?["wildcard"] == [])
  }

  @Test func `a parameter that is called as the host calls something is a parameter`() async throws
  {
    let route = try await Self.route(
      "/x/1?JLRouteURL=mine", ["RoutePattern": "passed"], by: "/x/:url")
    #expect(route["params"] == ["url": "1", "JLRouteURL": "mine", "RoutePattern": "passed"])
    #expect(route["url"] == "/x/1?JLRouteURL=mine")
    #expect(route["RoutePattern"] == "/x/:url")
  }

  @Test func `types and groups are the pattern's`() async throws {
    let route = try await Self.route("/x/7/page/2.5", by: "/x/:id<int>(/page/:n<number>)")
    #expect(route["params"] == ["id": 7, "n": 2.5])
    #expect(route["pattern"] == "/x/:id<int>(/page/:n<number>)")
    #expect(route["JLRoutePattern"] == "/x/:id<int>/page/:n<number>")
  }

  @Test func `the rules of the host for plus signs and hosts are kept`() async throws {
    var options = Bench.quiet
    #expect(
      try await Self.route("/x/a+b?q=c+d", by: "/x/:n")["params"] == ["n": "a b", "q": "c d"])
    options.routing.urls.plus = .kept
    #expect(
      try await Self.route("/x/a+b?q=c+d", by: "/x/:n", options: options)["params"]
        == ["n": "a+b", "q": "c+d"])
    options.routing.urls.host = .alwaysComponent
    #expect(
      try await Self.route("http://example.com/x", by: "/example.com/x", options: options)["params"]
        == [:])
    let bench = try await Bench(Self.showing("/x"), options: options)
    #expect(await bench.host.canRoute("http://example.com/x") == false)
    #expect(try await Bench(Self.showing("/x")).host.canRoute("http://example.com/x"))
  }

  @Test func `a scheme's routes come first, then the global ones unless it is closed`() async throws
  {
    let files = Self.showing("app://x", "/x", "/global")
    var bench = try await Bench(files)
    for url: Text in ["app://x", "/x", "app://global", "other://x"] { try await bench.route(url) }
    #expect(await bench.titles() == ["app://x", "/x", "/global", "/x"])
    #expect(await bench.screens().map { $0.props["scheme"] } == ["app", nil, nil, nil])
    #expect(await bench.screens()[0].props["JLRouteScheme"] == "app")
    var options = Bench.quiet
    options.routing.closedSchemes = ["app", "shut"]
    bench = try await Bench(files, options: options)
    try await bench.route("app://x")
    try await bench.route("other://global")
    #expect(await bench.routingError(of: "app://global") != nil)
    #expect(await bench.routingError(of: "shut://x") != nil)
    #expect(await bench.host.canRoute("shut://x") == false)
  }

  @Test func `URLs are made by a route's name`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      return {
        state = { urls = {}, pure = "" },
        actions = { go = "", bad = "", worse = "", pure = "" },
        reducers = { made = function(s, p) s.urls[#s.urls + 1] = p.url end,
          pure = function(s) s.pure = select(2, pcall(moon.url, "card", { id = 1 })) end },
        routes = { ["/card/:id(/page/:n)"] = { name = "card", screen = function() return {} end } },
        map_modules = {
          go = function()
            local url = moon.url("card", { id = "a b", n = 2, q = { 1, 2 } })
            return moon.replace("made", { url = url })
          end,
          bad = function() moon.url("crad", {}) end,
          worse = function() moon.url("card", { 1, 2 }) end,
        },
      }
      """
    ])
    try await bench.dispatch("m/go")
    #expect(try await bench.state("m.urls[1]") == "/card/a%20b/page/2?q=1&q=2")
    let failure = await bench.failure(of: "m/bad")?.summary
    #expect(
      failure == "m module mapper m/bad m.lua:13 raised(\"no route has the name 'crad'\")")
    let refused = await bench.failure(of: "m/worse")?.summary
    #expect(
      refused == "m module mapper m/worse m.lua:14 "
        + "raised(\"moon.url takes its parameters as a table such as {id = 7}\")")
    #expect(try await bench.host.url(for: "card", ["id": 1]) == "/card/1")
    try await bench.dispatch("m/pure")
    let refusal = try await bench.state("m.pure")?.stringValue ?? ""
    #expect(refusal.contains("making URLs of routes"), "another run may have other routes")
  }

  @Test func `one pattern may lead to a screen and to a handler, and both are explained`()
    async throws
  {
    let bench = try await Bench([
      "m.lua": """
      return {
        routes = { ["/x/:n<int>"] = function() return {} end },
        handlers = { ["/x/:n<int>"] = function() end },
      }
      """
    ])
    #expect(try await bench.host.explain("/x/1").candidates.map(\.verdict) == [.won, .laterPlace])
    #expect(try await bench.host.explain("/x/y").candidates.count == 2)
  }

  /// Modules with conflicting routes.
  private static let rivals = [
    ("a", "/x/:n", 0), ("b", "/x/:m", 0), ("c", "/x/y", 0), ("d", "/x/*", 0), ("e", "/x(/:n)", 0),
    ("f", "/x/:n<int>", 0), ("g", "/:a/:b", 0), ("h", "/z/:n", 5), ("i", "/z/y", 0),
  ]

  private static let winners: [(Text, String)] = [
    ("/x/y", "c"), ("/x/5", "f"), ("/x/q", "a"), ("/x", "e"), ("/x/q/r", "d"), ("/p/q", "g"),
    ("/z/y", "h"),
  ]

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `the winning route doesn't depend on the order of adding`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let bench = try await Bench()
    for (name, pattern, priority) in Self.rivals.shuffled(using: &random) {
      if Bool.random(using: &random) {
        try await bench.host.add(try .routing(name, Text(pattern), priority: priority))
      } else {
        try bench.folder.save(
          "\(name).lua",
          """
          return { routes = { ["\(pattern)"] = { priority = \(priority),
            screen = function() return { title = "\(name)" } end } } }
          """)
        await bench.host.reload(ModuleName(name))
      }
    }
    for (name, _, _) in Self.rivals.shuffled(using: &random).prefix(3) {
      await bench.host.reload(ModuleName(name))
    }
    for (url, winner) in Self.winners {
      #expect(
        try await bench.host.screen(for: url, in: bench.session).title.string == winner, "\(url)")
    }
  }

  @Test func `of presenters of one kind the highest wins, then the first by name`() async throws {
    func presenting(_ title: String, _ priority: Int) -> String {
      """
      local moon = require "moonwire"
      return { routing_presenters = { show = { priority = \(priority), run = function(screen)
        return moon.nav.push { id = "p", title = "\(title)" } end } } }
      """
    }
    let bench = try await Bench([
      "z.lua": Self.showing("/x")["m.lua"] ?? "", "a.lua": presenting("a", 0),
      "b.lua": presenting("b", 1), "c.lua": presenting("c", 1), "d.lua": presenting("d", -2000),
    ])
    try await bench.route("/x")
    #expect(await bench.titles() == ["b"])
    try bench.folder.remove("b.lua")
    try bench.folder.remove("c.lua")
    try bench.folder.remove("a.lua")
    await bench.host.reload()
    try await bench.dispatch("nav/set_navigation", ["screens": []])
    try await bench.route("/x")
    #expect(await bench.titles() == ["/x"], "the host's own has -1000")
  }

  @Test(
    arguments: [
      // What module a and module b answer, and the screens that are there in the end.
      ("nil", "moon.nav.push { id = 'p', title = 'b' }", ["b"]),
      ("false", "nil", ["/x"]),
      ("true", "moon.nav.push { id = 'p', title = 'b' }", []),
      ("{}", "nil", []),
    ] as [(String, String, [String])])
  func `a presenter that returns nothing leaves the screen to the next`(
    first: String, second: String, titles: [String]
  ) async throws {
    func presenting(_ answer: String) -> String {
      """
      local moon = require "moonwire"
      return { routing_presenters = { show = function() return \(answer) end } }
      """
    }
    let bench = try await Bench([
      "z.lua": Self.showing("/x")["m.lua"] ?? "", "a.lua": presenting(first),
      "b.lua": presenting(second),
    ])
    try await bench.route("/x")
    #expect(await bench.titles() == titles)
  }

  @Test func `a screen that no presenter takes is an error that names all that were asked`()
    async throws
  {
    let bench = try await Bench([
      "a.lua": "return { routing_presenters = { drawer = function() end } }",
      "b.lua": """
      return {
        routing_presenters = { drawer = { priority = 1, run = function() return false end } },
        routes = { ["/x"] = { option = "drawer", screen = function() return {} end } },
      }
      """,
    ])
    let error = await bench.routingError(of: "/x")
    #expect(
      error.map { "\($0)" }
        == "/x wasn't routed: no routing presenter of 'drawer' takes its screen; asked: "
        + "b (b.lua:2) and a (a.lua:1) (pattern /x of module b)")
    #expect(await bench.titles() == [])
  }
}
