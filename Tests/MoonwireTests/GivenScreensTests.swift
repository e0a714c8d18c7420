import Moonwire
import Testing

/// The modules of the screens that modules give.
struct GivenScreensTests {
  private static let screen =
    "{ title = 'Hi', module = 'v', kind = 'q', body = { moon.ui.button('OK', 'api/disable') } }"
  private static let victim = """
    return require("moonwire").module { state = {}, actions = { u = {} },
      routes = { ["/v"] = function() return { kind = "v", title = "V", props = { n = 1 } } end },
      views = { q = function() error "no" end, v = function() return { "drawn" } end } }
    """

  /// Returns a module that gives a screen which names another module.
  private static func giver(_ keys: String) -> String {
    """
    local moon = require "moonwire"
    return moon.module { actions = { go = {} }, \(keys) }
    """
  }

  private static func bench(_ keys: String) async throws -> Bench {
    try await Bench(["v.lua": victim, "a.lua": giver(keys)])
  }

  private static func top(_ bench: Bench) async -> Screen? {
    await bench.host.navigationTree(of: bench.session)?.topScreen
  }

  @Test(
    arguments: [
      "effects = { go = function(_, self) self.dispatch(moon.nav.present(\(screen))) end }",
      "effects = { go = function(_, self) self.dispatch(moon.nav.push(\(screen))) end }",
      "effects = { go = function(_, self) self.dispatch(moon.nav.set(moon.nav.tabs { "
        + "moon.nav.stack { \(screen) } })) end }",
      "map_navigation = { go = function() return moon.nav.show(\(screen)) end }",
      "map_modules = { go = function() return moon.replace(moon.nav.push(\(screen))) end }",
      "middleware = { on = 'a/go', run = function() return moon.nav.push(\(screen)) end }",
    ])
  func `a screen belongs to the module that gives it, which its controls need the grants of`(
    keys: String
  ) async throws {
    let bench = try await Self.bench(keys)
    try await bench.dispatch("a/go")
    #expect(await Self.top(bench)?.owner?.module == "a")
    await #expect(throws: ScreenError.self) {
      try await bench.host.use(.name("OK"), in: bench.session)
    }
    #expect(await bench.history().allSatisfy { $0 != "api/disable ok" })
    #expect(try await bench.info("v")?.faults == 0)
  }

  @Test func `a screen that is given on as it is keeps its module`() async throws {
    let bench = try await Self.bench(
      """
      routing_presenters = { mine = function(screen)
        screen.title = "Mine"
        return moon.nav.push(screen)
      end },
      effects = { go = function(_, self)
        self.dispatch(moon.nav.push("/v"))
        self.route("/v", {}, moon.option("mine"))
      end }
      """)
    try await bench.dispatch("a/go")
    let tree = try #require(await bench.host.navigationTree(of: bench.session))
    #expect(tree.screens.map { "\($0.owner?.module ?? "-") \($0.title)" } == ["v V", "v Mine"])
  }

  @Test func `people may name any module, and old recordings keep what was named`() async throws {
    let bench = try await Self.bench(
      "middleware = { on = 'a/go', run = function() return moon.nav.push(\(Self.screen)) end }")
    let named: Value = ["id": "n", "kind": "n", "module": "v"]
    try await bench.dispatch("nav/push", ["screen": named])
    #expect(await Self.top(bench)?.owner?.module == "v")
    for (isOwned, module) in [(false, "v"), (true, "a")] {
      let replay = await Replay(on: bench.host)
      var notes = CommitNotes()
      notes.ownsScreens = isOwned
      let diff = try await replay.changes(by: [Action("a/go")], noting: notes, on: bench.host)
      let after = diff.changes.map { $0.after?.canonicalText ?? "" }.joined()
      #expect(after.contains("\"module\":\"\(module)\""))
    }
  }
}
