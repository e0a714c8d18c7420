import MoonTestSupport
import Moonwire
import Testing

/// The behaviour of VISPER's wireframe, its presenters and its protocol of 2016, and ours.
@Suite(.timeLimit(.minutes(2))) struct WireframeConformanceTests {
  typealias Case = RoutingConformanceTests.Case

  private static let screen = "function(r) print('screen ' .. r.pattern) return {} end"
  private static let x = "routes = { ['/x'] = \(screen) },"

  static let patterns: [Case] = [
    Case(
      number: "VISPER slashes", fate: .same, says: "slashes that lead, trail or are doubled",
      module: "routes = { ['/a//b/:n/'] = function(r) print(r.params.n) return {} end },",
      urls: ["/a/b/1", "a/b/2//", "//a//b/3"], notes: ["1", "2", "3"]),
    Case(
      number: "VISPER literals", fate: .differs,
      says: "literals were compared undecoded; here both sides are decoded, and case still counts",
      module: "routes = { ['/größe'] = \(screen), ['/x'] = \(screen) },",
      urls: ["/gr%C3%B6%C3%9Fe", "/X"],
      notes: ["screen /größe", "/X: no route, nearest /x"]),
    Case(
      number: "VISPER result", fate: .same, says: "a result has the URL, pattern and variables",
      module: """
        routes = { ['/x/:id'] = function(r)
          print(r.params.id .. ' ' .. r.RoutePattern .. ' ' .. r.RouteURL)
          return {}
        end },
        """, urls: ["/x/a%20b"], notes: ["a b /x/:id /x/a%20b"]),
    Case(
      number: "VISPER precedence", fate: .differs,
      says: "what is passed overwrote even the pattern's key; here it wins over the URL's only",
      module: """
        routes = { ['/x/:id'] = function(r)
          print(r.params.id .. ' ' .. r.params.RoutePattern .. ' ' .. r.RoutePattern)
          return {}
        end },
        """, urls: ["/x/1?id=2"], passing: ["id": "passed", "RoutePattern": "mine"],
      notes: ["passed mine /x/:id"]),
    Case(
      number: "VISPER wildcard", fate: .mended,
      says: "a wildcard lost what was passed, and the option",
      module: """
        routes = { ['/x/*'] = { option = 'push', screen = function(r)
          print(r.params.a .. ' ' .. table.concat(r.wildcard, '+') .. ' ' .. r.option.option)
          return {}
        end } },
        """, urls: ["/x/b/c%20d"], passing: ["a": "1"], notes: ["1 b+c d push"]),
    Case(
      number: "VISPER wildcard minimum", fate: .differs,
      says: "a wildcard took one component or more; here none is enough, as in JLRoutes",
      module: "routes = { ['/x/*'] = \(screen) },", urls: ["/x"], notes: ["screen /x/*"]),
  ]

  static let sequence: [Case] = [
    Case(
      number: "VISPER order", fate: .differs,
      says: "observers were asked after the screen was made; here before, so a veto makes nothing",
      module: """
        routes = { ['/x'] = { option = 'own', screen = \(screen) } },
        routing_options = function() print 'option' end,
        routing_observers = { will = function() print 'will' end, did = function() print 'did' end },
        presenters = function() print 'presenter' end,
        routing_presenters = { own = function(s)
          print 'presents'
          return { type = 'nav/push', payload = { screen = s } }
        end },
        lifecycle = { will_route = function() print 'will_route' end,
          did_appear = function() print 'did_appear' end,
          did_route = function() print 'did_route' end },
        """, urls: ["/x"],
      notes: [
        "option", "will", "screen /x", "presenter", "presents", "will_route", "did_appear", "did",
        "did_route",
      ]),
    Case(
      number: "VISPER make", fate: .same, says: "a provider that fails ends the routing",
      module: "routes = { ['/x'] = function() error('no screen', 0) end },"
        + "presenters = function() print 'never' end,", urls: ["/x"],
      notes: ["/x: fault m route /x m.lua:2 raised(\"no screen\")"]),
    Case(
      number: "VISPER presenters", fate: .same,
      says: "all presenters that are responsible add to a screen, those of high priority first",
      module: x + """
        presenters = {
          { priority = 1, run = function() print '1' end },
          { priority = 5, run = function() print '5' end },
          { route = '/y', run = function() print 'never' end },
          { priority = 5, run = function() print '5 too' end },
        },
        """, urls: ["/x"], notes: ["screen /x", "5", "5 too", "1"]),
    Case(
      number: "VISPER presenter fails", fate: .same,
      says: "a presenter of the screen's own module that fails ends the routing",
      module: x + "presenters = function() error('no', 0) end,", urls: ["/x"],
      notes: ["screen /x", "/x: fault m presenter all routes m.lua:2 raised(\"no\")"]),
    Case(
      number: "VISPER foreign presenter fails", fate: .differs,
      says: "any presenter could end a routing; here another module's loses its own part only",
      module: x + did, other: "presenters = function() error('no', 0) end,", urls: ["/x"],
      notes: ["screen /x", "did table"]),
    Case(
      number: "VISPER routing presenter", fate: .same,
      says: "the responsible presenter of the highest priority presents, no other",
      module: """
        routes = { ['/x'] = { option = 'own', screen = \(screen) } },
        routing_presenters = { own = { priority = 1, run = function(s)
          print 'low'
          return { type = 'nav/push', payload = { screen = s } }
        end } },
        """,
      other: """
        routing_presenters = { own = { priority = 2, run = function(s)
          print 'high'
          return { type = 'nav/push', payload = { screen = s } }
        end } },
        """, urls: ["/x"], notes: ["screen /x", "high"]),
    Case(
      number: "VISPER veto", fate: .same,
      says: "the first observer that objects ends the routing; the rest isn't asked",
      module: x + """
        routing_observers = {
          { priority = 3, will = function() print 'first' end },
          { priority = 2, will = function() return false, 'closed' end },
          { priority = 1, will = function() print 'never' end, did = function() print 'no' end },
        },
        """, urls: ["/x"], notes: ["first", "/x: vetoed by m at m.lua:4: closed"]),
    Case(
      number: "VISPER default option", fate: .same,
      says: "a feature's option counts if there is none yet",
      module: """
        routes = {
          ['/x'] = { option = 'root', screen = function(r) print(r.option.option) return {} end },
          ['/y'] = function(r) print(tostring(r.option)) return {} end,
        },
        """, urls: ["/x", "/y"], notes: ["root", "nil"]),
    Case(
      number: "VISPER content", fate: .same, says: "a feature can be its content alone",
      module: "routes = { ['/x'] = function() return { body = 'static' } end }," + did,
      urls: ["/x"],
      notes: ["did table"]),
    Case(
      number: "VISPER modal", fate: .mended, says: "a modal screen was animated whatever was said",
      module: """
        routes = { ['/x'] = { option = { option = 'modal', animated = false }, screen = \(screen) },
          ['/y'] = { option = 'modal', screen = \(screen) } },
        lifecycle = { did_appear = function(s, e) print(tostring(e.animated)) end },
        """, urls: ["/x", "/y"], notes: ["screen /x", "false", "screen /y", "true"]),
    Case(
      number: "VISPER containers", fate: .differs,
      says:
        "the last navigation controller that was added presents; here the option names a window",
      module: """
        routes = { ['/x'] = { option = { option = 'push', window = 'main' }, screen = \(screen) },
          ['/y'] = { option = { option = 'push', window = 'side' }, screen = \(screen) } },
        routing_observers = { failed = function(url) print('failed ' .. url) end },
        """, urls: ["/x", "/y"],
      notes: [
        "screen /x", "screen /y", "failed /y",
        "/y: no window side",
      ]),
  ]

  static let protocol2016: [Case] = [
    Case(
      number: "VISPER redirect", fate: .same,
      says: "an observer may name another URL, and the routing goes there",
      module: """
        routes = { ['/x'] = \(screen), ['/login'] = function(r)
          print('login ' .. r.redirected_from[1])
          return {}
        end },
        routing_observers = { route = '/x', will = function()
          return { redirect = '/login' }
        end },
        """, urls: ["/x"], notes: ["login /x"]),
    Case(
      number: "VISPER redirect circle", fate: .mended, says: "redirects in a circle never ended",
      module: """
        routes = { ['/x'] = \(screen), ['/y'] = \(screen) },
        routing_observers = { will = function(r)
          return { redirect = r.url == '/x' and '/y' or '/x' }
        end },
        """, urls: ["/x"], notes: ["/x: loop [/x, /y, /x]"]),
    Case(
      number: "VISPER error observer", fate: .same, says: "observers are told of errors",
      module: "routing_observers = { failed = function(url, e) print('failed ' .. url) end },",
      urls: ["/x"], notes: ["failed /x", "/x: no route, nearest -"]),
    Case(
      number: "VISPER gate", fate: .same, says: "an observer is asked about what it observes only",
      module: "routes = { ['/x'] = \(screen), ['/y'] = \(screen) },"
        + "routing_observers = { route = '/y', will = function() return false end },",
      urls: ["/x"], notes: ["screen /x"]),
  ]

  static let life: [Case] = [
    Case(
      number: "VISPER lifecycle priority", fate: .differs,
      says: "low priority came first; here high does, as everywhere",
      module: x + """
        lifecycle = {
          { priority = 1, did_load = function() print '1' end },
          { priority = 2, did_load = function() print '2' end },
        },
        """, urls: ["/x"], notes: ["screen /x", "2", "1"]),
    Case(
      number: "VISPER lifecycle events", fate: .same, says: "an event has its name and is animated",
      module: x + """
        lifecycle = { did_appear = function(s, e)
          print(e.stage .. ' ' .. tostring(e.animated))
        end },
        """, urls: ["/x"], notes: ["screen /x", "did_appear true"]),
    Case(
      number: "VISPER will_route", fate: .mended,
      says: "a presenter's own will_route and did_route were never called",
      module: x,
      other: """
        presenters = function() end,
        lifecycle = { on = 'm/*', will_route = function() print 'will' end,
          did_route = function() print 'did' end },
        """, urls: ["/x"], notes: ["screen /x", "will", "did"]),
  ]

  static let jlRoutes: [Case] = [
    Case(
      number: "JLRoutes parameters", fate: .same, says: "what is passed may be of any type",
      module: "routes = { ['/x'] = function(r) print(r.params.n + 1) return {} end },",
      urls: ["/x?n=q"], passing: ["n": 123], notes: ["124"]),
    Case(
      number: "JLRoutes handlers of several", fate: .same, says: "one handler for several patterns",
      module: """
        handlers = (function()
          local function run(r) print(r.pattern) end
          return { ['/x'] = run, ['/y'] = run }
        end)(),
        """, urls: ["/x", "/y"], notes: ["/x", "/y"]),
    Case(
      number: "JLRoutes unmatched", fate: .same,
      says: "a handler of what is unmatched is called when nothing else takes the URL",
      module: "handlers = { ['/x'] = function() print 'x' return false end },"
        + "unmatched = function(r) print('unmatched ' .. r.url) end,",
      urls: ["/x", "/y"], notes: ["x", "unmatched /x", "unmatched /y"]),
  ]

  static let all = patterns + sequence + protocol2016 + life + jlRoutes

  private static let did =
    "routing_observers = { did = function(r, s) print('did ' .. type(s)) end },"

  @Test(arguments: all)
  func `an ancestor's case`(item: Case) async throws { try await item.run() }

  /// The numbers of the behaviours that the tests below show.
  static let shown = [
    "VISPER wildcard place", "VISPER transaction", "VISPER presenter asked", "VISPER options",
    "VISPER option equality", "VISPER top", "19", "20", "21", "VISPER nothing behind",
    "VISPER feature observer",
  ]

  @Test func `a wildcard in the middle is refused, and nothing of the module stays`() async throws {
    // Mended: the feature's providers stayed behind when adding its pattern failed.
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "m.lua": """
        return {
          routes = { ['/a/*/b'] = function() end, ['/x'] = function() print 'x' return {} end },
          routing_options = function() print 'option' end,
        }
        """,
        "n.lua": "return { routes = { ['/y'] = function() return {} end } }",
      ])
    #expect(await bench.routingError(of: "/x")?.reason == .noRoute(nearest: "/y"))
    try await bench.route("/y")
    #expect(notes.all == [])
    #expect(try await bench.info("m")?.status == .failed)
  }

  @Test func `presenters of other routes stay out of a screen that isn't shown, too`() async throws
  {
    // Mended: the screen of a URL was enriched by all presenters, responsible or not.
    let bench = try await Bench([
      "m.lua": """
      return {
        routes = { ['/x'] = function() return { title = 'X' } end },
        presenters = {
          { route = '/y', run = function(s) s.title = s.title .. ' y' end },
          { route = '/x', run = function(s) s.title = s.title .. ' x' end },
        },
      }
      """
    ])
    #expect(try await bench.host.screen(for: "/x", in: bench.session).title == "X x")
  }

  @Test(
    arguments: [
      ("push", ["a", "b", "c"]), ("show", ["a", "b", "c"]), ("modal", ["a", "b", "c"]),
      ("root", ["c"]), ("replace", ["a", "c"]), ("back_to", ["c"]), ("none", ["a", "b"]),
    ] as [(String, [Text])])
  func `an option presents as it did, without anything set up for it`(
    kind: String, ids: [Text]
  ) async throws {
    // "none" differs: VISPER dropped it, and routing without an option failed.
    let bench = try await Bench([
      "m.lua": """
      return { routes = { ['/:x'] = { screen = function(r) return { id = r.params.x } end } } }
      """
    ])
    try await bench.route("/a", [:], .push)
    try await bench.route("/b", [:], .push)
    try await bench.route("/c", [:], RoutingOption(Text(kind)))
    #expect(await bench.screens().map(\.id) == ids)
    let tree = try #require(await bench.host.navigationTree(of: bench.session))
    #expect(tree.topScreen?.id == ids.last)
    #expect(await bench.history().contains("nav/present ok") == (kind == "modal"))
  }

  @Test func `options are equal by their kind and all their fields`() {
    // Mended: two results without an option were equal, whatever their patterns.
    #expect(RoutingOption("push") == .push && RoutingOption.push != .modal)
    #expect(RoutingOption("push", ["animated": false]) != .push)
  }

  @Test func `the screen on top is found through tabs, stacks and what they present`() throws {
    // 20 differs: no resolvers can be added, because there are no other containers.
    let deep = NavigationNode.tabs(
      "t",
      [
        NavigationNode(Screen(id: "a")), .stack("s", ["b", "c"].map { Screen(id: $0) }),
        NavigationNode(Screen(id: "d")),
      ], selectedIndex: 1)
    #expect(try NavigationTree(windows: [.init(id: "w", root: deep)]).topScreen?.id == "c")
    let presenting = NavigationNode(
      Screen(id: "a"),
      presented: NavigationNode(Screen(id: "b"), presented: NavigationNode(Screen(id: "c"))))
    #expect(try NavigationTree(windows: [.init(id: "w", root: presenting)]).topScreen?.id == "c")
    let empty = try NavigationTree(windows: [.init(id: "w", root: .stack("s"))])
    #expect(empty.topScreen == nil && empty.topNode(ofWindow: "w")?.id == "s")
  }

  @Test func `going back with nothing behind is an error`() async throws {
    // Mended: the completion was never called.
    let bench = try await Bench([
      "m.lua": "return { routes = { ['/x'] = function() return {} end } }"
    ])
    try await bench.route("/x")
    guard case .navigation = await bench.failure(of: "nav/back") else {
      Issue.record("it isn't an error of the navigation")
      return
    }
  }

  @Test func `an observer of features sees each before it is added`() async throws {
    let bench = try await Bench()
    await bench.host.addModuleObserver { module in
      module.routes.append(
        Route(try RoutePattern(parsing: Text("/\(module.name)"))) { _, _ in Screen(id: "") })
    }
    try await bench.host.add(try Module("late") { _ in })
    #expect(await bench.host.canRoute("/late"))
  }
}
