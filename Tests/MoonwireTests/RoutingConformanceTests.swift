import MoonTestSupport
import Moonwire
import Testing

/// The behaviour of the ancestors for URLs, and ours.
struct RoutingConformanceTests {
  /// The relation of our behaviour to an ancestor's.
  enum Fate: String {
    /// Our behaviour is the same.
    case same
    /// The ancestor's behaviour is a defect that we don't have.
    case mended
    /// Our behaviour differs by design.
    case differs
  }

  /// A behaviour of an ancestor, tested by routing some URLs.
  struct Case: CustomTestStringConvertible {
    let number: String
    let fate: Fate
    /// The ancestor's behaviour, and the reason if ours differs.
    let says: String
    /// The body of the module `m`, and that of the module `n`.
    let module: String
    var other = ""
    let urls: [Text]
    /// The parameters that are passed with each URL.
    var passing = Map()
    /// The printed lines.
    ///
    /// A routing that fails ends with the error's reason.
    let notes: [String]

    var testDescription: String { "\(number) (\(fate.rawValue)): \(says)" }
  }

  private static let screen = "function(r) print('screen ' .. r.pattern) return {} end"
  private static func handler(_ priority: Int) -> String {
    "handlers = { ['/x'] = { priority = \(priority), run = function() print('handler') end } },"
  }
  private static func screen(_ priority: Int) -> String {
    "routes = { ['/x'] = { priority = \(priority), screen = \(screen) } },"
  }
  private static let did =
    "routing_observers = { did = function(r, s) print('did ' .. type(s)) end },"

  static let cases: [Case] = [
    Case(
      number: "1", fate: .same, says: "no pattern is an error that carries the URL", module: "",
      urls: ["/x?a=1"], notes: ["/x?a=1: no route, nearest -"]),
    Case(
      number: "2", fate: .same, says: "option providers get the option, their answer counts",
      module: """
        routes = { ['/x'] = { option = 'push', screen = \(screen) } },
        routing_options = function(r, current) print(current.option) return { option = 'b' } end,
        """, urls: ["/x"], notes: ["push", "screen /x", "/x: no presenter for b, nearest -"]),
    Case(
      number: "2b", fate: .mended, says: "a provider without an opinion took the option away",
      module: """
        routes = { ['/x'] = { option = 'push', screen = \(screen) } },
        routing_options = { function(r, current) print(current.option) end,
          { priority = 1, run = function(r, current) print(current.option) end } },
        """, urls: ["/x"], notes: ["push", "push", "screen /x"]),
    Case(
      number: "3", fate: .same, says: "a handler is called and completes; nothing is shown",
      module: handler(42) + did, urls: ["/x"], notes: ["handler", "did nil"]),
    Case(
      number: "4", fate: .same, says: "a handler of higher priority goes before a screen",
      module: handler(42) + screen(21), urls: ["/x"], notes: ["handler"]),
    Case(
      number: "5", fate: .same, says: "a screen of higher priority goes before a handler",
      module: handler(21) + screen(42), urls: ["/x"], notes: ["screen /x"]),
    Case(
      number: "5b", fate: .differs,
      says: "at a tie the handler went first; here patterns tie as all do, by module and text",
      module: screen(0), other: handler(0), urls: ["/x"], notes: ["screen /x"]),
    Case(
      number: "6", fate: .same, says: "a matched URL that nobody takes is its own error",
      module: "routes = { ['/x'] = function() print('asked') end },", urls: ["/x"],
      notes: ["asked", "/x: declined [/x]"]),
    Case(
      number: "7", fate: .same, says: "without a presenter for the option, presenters ran already",
      module: """
        routes = { ['/x'] = { option = 'own', screen = \(screen) } },
        presenters = function() print('presenter') end,
        """, urls: ["/x"],
      notes: ["screen /x", "presenter", "/x: no presenter for own, nearest -"]),
    Case(
      number: "8", fate: .differs,
      says: "the presenter completed the routing; here it is complete once the screen is shown",
      module: """
        routes = { ['/x'] = { option = 'own', screen = \(screen) } },
        routing_presenters = { own = function(s, option)
          print(s.url .. ' ' .. option.option)
          return { type = 'nav/push', payload = { screen = s } }
        end },
        """ + did, urls: ["/x"], notes: ["screen /x", "/x own", "did table"]),
    Case(
      number: "13", fate: .same, says: "an option provider's answer takes the place of the option",
      module: """
        routes = { ['/x'] = { option = 'push', screen = \(screen) } },
        routing_options = { function() return 'x' end, function(r, now) print(now.option) end },
        """, urls: ["/x"], notes: ["x", "screen /x", "/x: no presenter for x, nearest -"]),
    Case(
      number: "12", fate: .same, says: "option providers are asked from low to high, the last wins",
      module: """
        routes = { ['/x'] = \(screen) },
        routing_options = {
          { priority = 10, run = function() print('10') return 'push' end },
          { priority = 15, run = function() print('15') return 'own' end },
          { priority = 5, run = function() print('5') return 'modal' end },
        },
        """, urls: ["/x"],
      notes: ["5", "10", "15", "screen /x", "/x: no presenter for own, nearest -"]),
    Case(
      number: "12b", fate: .differs,
      says: "at a tie the first had the last word; here the last one in the order of modules has",
      module: """
        routes = { ['/x'] = \(screen) },
        routing_options = { function() print('first') return 'push' end,
          function(r, current) print('second ' .. current.option) end },
        """, urls: ["/x"], notes: ["first", "second push", "screen /x"]),
    Case(
      number: "14", fate: .same, says: "the highest that doesn't decline makes the screen",
      module: """
        routes = {
          ['/x'] = { priority = 5, screen = \(screen) },
          ['/:x'] = { priority = 10, screen = function(r)
            if r.params.x == 'y' then return {} end
          end },
        },
        """, urls: ["/x"], notes: ["screen /x"]),
    Case(
      number: "15", fate: .same, says: "observers of high priority come first, before and after",
      module: """
        routes = { ['/x'] = \(screen) },
        routing_observers = {
          { priority = 5,
            will = function() print('5') end, did = function() print('did 5') end },
          { priority = 20,
            will = function() print('20') end, did = function() print('did 20') end },
        },
        """,
      other: """
        routing_observers = {
          priority = 10, will = function() print('10') end, did = function() print('did 10') end },
        """, urls: ["/x"], notes: ["20", "10", "5", "screen /x", "did 20", "did 10", "did 5"]),
    Case(
      number: "16", fate: .same, says: "an observer of a pattern sees that pattern only",
      module: """
        routes = { ['/x'] = \(screen), ['/y'] = \(screen) },
        routing_observers = { { route = '/x', will = function(r) print('x ' .. r.url) end },
          { will = function(r) print('all ' .. r.url) end } },
        """, urls: ["/x", "/y"],
      notes: ["x /x", "all /x", "screen /x", "all /y", "screen /y"]),
    Case(
      number: "17", fate: .same, says: "a screen is told before and after its routing",
      module: """
        routes = { ['/x'] = \(screen) },
        lifecycle = { will_route = function() print('will') end,
          did_route = function() print('did') end },
        """, urls: ["/x"], notes: ["screen /x", "will", "did"]),
    Case(
      number: "18", fate: .same, says: "a screen knows its URL and parameters when it is told",
      module: """
        routes = { ['/x/:id'] = function() return {} end },
        lifecycle = { will_route = function(s) print(s.url .. ' ' .. s.params.id) end },
        """, urls: ["/x/7"], notes: ["/x/7 7"]),
    Case(
      number: "22", fate: .same, says: "a presenter's screen lives through six stages",
      module: """
        routes = {
          ['/x'] = { option = 'root', screen = \(screen) },
          ['/y'] = { option = 'root', screen = \(screen) },
        },
        lifecycle = {
          load = function(s) if s.url == '/x' then print 'load' end end,
          did_load = function(s) if s.url == '/x' then print 'did_load' end end,
          will_appear = function(s) if s.url == '/x' then print 'will_appear' end end,
          did_appear = function(s) if s.url == '/x' then print 'did_appear' end end,
          will_disappear = function(s) if s.url == '/x' then print 'will_disappear' end end,
          did_disappear = function(s) if s.url == '/x' then print 'did_disappear' end end,
        },
        """, urls: ["/x", "/y"],
      notes: [
        "screen /x", "load", "did_load", "will_appear", "did_appear", "screen /y",
        "will_disappear", "did_disappear",
      ]),
    Case(
      number: "VISPER predicate", fate: .same,
      says: "a handler's predicate decides whether it takes a URL that its pattern matches",
      module: """
        handlers = { ['/x'] = { priority = 1,
          when = function(r) print('when ' .. (r.params.a or '-')) return r.params.a == '1' end,
          run = function() print('handler') end } },
        """, other: "routes = { ['/x'] = \(screen) },", urls: ["/x?a=1", "/x"],
      notes: ["when 1", "handler", "when -", "screen /x"]),
    Case(
      number: "VISPER predicate asked", fate: .differs,
      says: "the predicate saw the option that providers chose; here it is asked before all others",
      module: """
        routes = { ['/x'] = { option = 'push', when = function(r) print(r.option.option) return true end,
          screen = \(screen) } },
        routing_options = function() print('provider') return { option = 'root' } end,
        """, urls: ["/x"], notes: ["push", "provider", "screen /x"]),
    Case(
      number: "VISPER presenter feature", fate: .same,
      says: "a presenter serves the controllers of another feature",
      module: """
        presenters = { on = 'n/*', run = function(s) print('presents ' .. s.kind) end },
        lifecycle = { on = 'n/n', will_appear = function(s) print('appears ' .. s.kind) end },
        """, other: "routes = { ['/x'] = \(screen) },", urls: ["/x"],
      notes: ["screen /x", "presents n", "appears n"]),
    Case(
      number: "VISPER tie", fate: .differs,
      says: "the last added of two equal patterns won; here the first module by name does",
      module: screen(0), other: "routes = { ['/x'] = function() print('n') return {} end },",
      urls: ["/x"], notes: ["screen /x"]),
    Case(
      number: "VISPER empty", fate: .mended, says: "the empty URL was taken by every pattern",
      module: "routes = { ['/x'] = \(screen), ['/:x'] = \(screen) },", urls: ["/"],
      notes: ["/: no route, nearest /x"]),
    Case(
      number: "VISPER escapes", fate: .mended, says: "a malformed escape ended the program",
      module: "routes = { ['/:x'] = \(screen) },", urls: ["/%zz"],
      notes: ["/%zz: the % at character 2 isn't followed by two hexadecimal digits"]),
    Case(
      number: "JLRoutes slash", fate: .mended,
      says: "a pattern with a slash at its end never matched",
      module: "routes = { ['/x/'] = \(screen) },", urls: ["/x", "/x/"],
      notes: ["screen /x/", "screen /x/"]),
    Case(
      number: "JLRoutes false", fate: .same, says: "a handler that returns false isn't it",
      module: "handlers = { ['/x'] = { priority = 1, run = function() return false end } },",
      other: "routes = { ['/x'] = \(screen) },", urls: ["/x"], notes: ["screen /x"]),
    Case(
      number: "JLRoutes order", fate: .differs,
      says: "the first added of equal priority won, specific or not; here the more specific does",
      module: "routes = { ['/:x'] = \(screen) },", other: "routes = { ['/x'] = \(screen) },",
      urls: ["/x"], notes: ["screen /x"]),
    Case(
      number: "89", fate: .same, says: "what a scheme hasn't, the global routes have",
      module: "routes = { ['ns3://test1'] = \(screen), ['/:x'] = \(screen) },",
      urls: ["ns3://test1", "ns3://test2"], notes: ["screen ns3://test1", "screen /:x"]),
  ]

  /// The numbers of the cases that the tests below show.
  static let shown = ["88", "89", "9", "10", "11", "90", "92", "91", "93"]

  @Test(arguments: cases)
  func `an ancestor's case`(item: Case) async throws { try await item.run() }

  @Test func `88: routes are listed in one order, whatever the order in which they came`()
    async throws
  {
    // Differs: JLRoutes lists them in the order in which they were added.
    let bench = try await Bench([
      "b.lua": "return { routes = { ['app://y'] = function() end, ['/z'] = function() end } }",
      "a.lua": "return { handlers = { ['/x'] = function() end } }",
    ])
    let listed = await bench.host.routeInfos().map { "\($0.module) \($0.pattern) \($0.target)" }
    try await bench.host.add(try .routing("0a".replacing("0", with: "A"), "/first"))
    await bench.host.reload()
    #expect(Set(listed) == ["a /x handler", "b /z screen", "b app://y screen"])
    #expect(
      await bench.host.routeInfos().filter { $0.module.text != "Aa" }
        .map { "\($0.module) \($0.pattern) \($0.target)" } == listed)
  }

  @Test func `89: a scheme's routes that are removed leave the URL to the global ones`()
    async throws
  {
    let bench = try await Bench([
      "ns.lua": """
      return { routes = {
        ["ns3://test1"] = function() return { title = "1" } end,
        ["ns3://test2"] = function() return { title = "2" } end,
      } }
      """
    ])
    try bench.folder.save(
      "ns.lua",
      "return { routes = { [\"ns3://test2\"] = function() return { title = \"2\" } end } }")
    await bench.host.reload()
    #expect(await bench.host.canRoute("ns3://test1") == false)
    try bench.folder.save(
      "all.lua", "return { routes = { [\"/:x\"] = function() return { title = \"all\" } end } }")
    await bench.host.reload()
    try await bench.route("ns3://test2")
    try await bench.dispatch("nav/set_navigation", ["screens": []])
    #expect(await bench.host.canRoute("ns3://test2"))
    try bench.folder.remove("ns.lua")
    await bench.host.reload()
    try await bench.route("ns3://test2")
    #expect(await bench.titles() == ["all"])
  }

  @Test func `9, 10: the screen of a URL is made without being shown`() async throws {
    // Differs: VISPER had no screen, and no error, where nobody makes one.
    let bench = try await Bench([
      "m.lua": """
      return { routes = {
        ["/x/:n"] = { option = "own", screen = function(r)
          return { title = r.params.n .. r.params.extra }
        end },
        ["/none"] = function() end,
      } }
      """
    ])
    let screen = try await bench.host.screen(
      for: "/x/7", passing: ["extra": "!"], in: bench.session)
    #expect(screen.title == "7!")
    #expect(await bench.screens().isEmpty)
    await #expect(throws: DispatchError.self) {
      try await bench.host.screen(for: "/none", in: bench.session)
    }
  }

  @Test func `11: whether a pattern takes a URL is found without asking anybody`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes, ["m.lua": "return { routes = { ['/x'] = function() print('asked') end } }"])
    #expect(await bench.host.canRoute("/x"))
    #expect(await bench.host.canRoute("/y") == false)
    #expect(notes.all.isEmpty)
  }

  @Test func `90: routes are equal by pattern and priority, and equal ones are told`() async throws
  {
    // Differs: JLRoutes compared definitions, and refused one that was registered twice.
    let bench = try await Bench([
      "a.lua": "return { handlers = { ['/x'] = function() end, ['/y'] = function() end } }",
      "b.lua": "return { handlers = { ['/x'] = function() end, ['app://y'] = function() end } }",
    ])
    let conflicts = await bench.host.routeConflicts()
    #expect(conflicts.map { "\($0.earlier.owner) \($0.later.owner) \($0.kind)" } == ["a b equal"])
  }

  @Test func `92: a definition of one's own decides by more than a pattern`() async throws {
    let module = """
      return { handlers = { ["/*"] = { priority = 9, run = function(r)
        return r.wildcard[1] == "mine"
      end } }, routes = { ["/:x"] = function() return { title = "other" } end } }
      """
    let bench = try await Bench(["m.lua": module])
    try await bench.route("/mine")
    #expect(await bench.titles().isEmpty)
    try await bench.route("/yours")
    #expect(await bench.titles() == ["other"])
  }

  @Test func `91: a route whose owner is gone takes nothing`() async throws {
    let bench = try await Bench(["m.lua": "return { handlers = { ['/x'] = function() end } }"])
    try await bench.route("/x")
    try bench.folder.remove("m.lua")
    await bench.host.reload()
    #expect(await bench.routingError(of: "/x")?.reason == .noRoute(nearest: nil))
  }

  @Test func `93: optional groups are one route that takes each of their forms`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return { routes = { ["/path/:thing(/new)(/anotherpath/:anotherthing)"] =
        function(r) return { title = r.JLRoutePattern } end } }
      """
    ])
    for url: Text in [
      "/path/a", "/path/a/new", "/path/a/anotherpath/b", "/path/a/new/anotherpath/b",
    ] {
      try await bench.route(url)
    }
    #expect(
      await bench.titles() == [
        "/path/:thing", "/path/:thing/new", "/path/:thing/anotherpath/:anotherthing",
        "/path/:thing/new/anotherpath/:anotherthing",
      ])
    #expect(await bench.host.routeInfos().count == 1)
  }
}
