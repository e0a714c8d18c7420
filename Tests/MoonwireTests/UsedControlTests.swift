import Moonwire
import Testing

/// What a person uses is owed to the modules that have put it there.
struct UsedControlTests {
  /// A module with code that fails for some payloads and URLs.
  private static let victim = """
    local moon = require "moonwire"
    return moon.module { state = {}, actions = { say = "Says" },
      reducers = { say = function(s, p) s.n = p.n + 1 end },
      routes = { ["/v"] = function(r) return { title = r.params.q.x.y } end,
        ["/own"] = function() return { kind = "own" } end },
      views = { own = function() return { moon.ui.slot "s" } end } }
    """

  private static func giver(_ parts: String) -> String {
    """
    local moon = require "moonwire"
    return moon.module { \(parts),
      routes = { ["/a"] = function() return { kind = "a" } end } }
    """
  }

  private static let button = "moon.ui.button('Go', 'v/say', { n = {} })"

  /// What a module puts on a screen, the screen, and who is suspended after many uses.
  private static let cases: [(parts: String, url: Text, suspended: [String])] = [
    ("views = { a = function() return { \(button) } end }", "/a", ["a"]),
    ("views = { a = function() return { moon.ui.open('Go', '/v?q=5') } end }", "/a", ["a"]),
    // The module whose screen it is has a hand in it.
    ("extends = { ['v/own#s'] = function() return { \(button) } end }", "/own", []),
    (
      "extends = { ['v/own#s'] = function() return { moon.ui.open('Go', '/v?q=5') } end }", "/own",
      []
    ),
  ]

  @Test(arguments: cases.indices)
  func `what a control of a module breaks counts to that module`(index: Int) async throws {
    let (parts, url, suspended) = Self.cases[index]
    let bench = try await Bench(["v.lua": Self.victim, "a.lua": Self.giver(parts)])
    try await bench.host.route(url, in: bench.session)
    for _ in 1...25 {
      await #expect(throws: ScreenError.self) {
        try await bench.host.use(.name("Go"), in: bench.session)
      }
    }
    let infos = await bench.host.moduleInfos()
    #expect(infos.filter { $0.status == .suspended }.map(\.name.text) == suspended)
  }

  /// A module whose actions only people and the program may dispatch, and a URL for one.
  @Sendable private static func control() throws -> Module {
    var module = Module(name: ModuleName(literal: "ctl"), state: ["n": 0])
    module.controlsSession = true
    module.actions = [ActionDeclaration("open")]
    module.reducers = [
      Reducer(.exact("ctl/open")) { slice, _ in slice = ["n": 1] }
    ]
    module.routes = [
      Route(
        "/ctl",
        handler: { _, context in
          try context.dispatch(Action("ctl/open"))
          return .handled
        })
    ]
    return module
  }

  /// How a module leads a person's URL to another one.
  private static let leading = [
    "routes = { ['/x'] = function() return { title = 'x' } end }, routing_observers = { "
      + "will = function(r) if r.url == '/x' then return moon.redirect('/ctl') end end }",
    "handlers = { ['/x'] = function() return moon.redirect('/ctl') end }",
    "unmatched = function() return moon.redirect('/ctl') end",
    "middleware = { on = 'nav/route', run = function(a) a.payload.url = '/ctl' return a end }",
  ]

  @Test(arguments: leading)
  func `whoever leads a URL to an action needs the grant for it`(parts: String) async throws {
    let files = ["a.lua": "local moon = require 'moonwire' return moon.module { \(parts) }"]
    let led = try await Bench(files, adding: [Self.control])
    _ = try? await led.host.route("/x", in: led.session)
    #expect(try await led.state("ctl.n") == 0)
    let free = try await Bench(adding: [Self.control])
    try await free.host.route("/ctl", in: free.session)
    #expect(try await free.state("ctl.n") == 1)
  }
}
