import FoundationEssentials
import MoonTestSupport
import Moonwire
import Testing

/// The announcements of modules and navigation, as data.
@Suite(.timeLimit(.minutes(2))) struct ModuleAnnouncementTests {
  private static let a = """
    return { description = "Adds", version = 3, state = { n = 1 },
      actions = { add = { "Adds", by = "integer?" }, bare = {} } }
    """

  private static func listener(_ type: String) -> String {
    """
    return { state = {}, reducers = { ["\(type)"] = function(s, p) s[p.module] = p end } }
    """
  }

  @Test func `host/started tells the actions and the state of the module`() async throws {
    let bench = try await Bench(["a.lua": Self.a, "z.lua": Self.listener("host/started")])
    #expect(
      try await bench.state("z.a")?.canonicalText
        == #"{"actions":[{"description":"Adds","fields":{"by":"integer?"},"type":"a/add"},"#
        + #"{"fields":{},"type":"a/bare"}],"description":"Adds","module":"a","state":{"n":1},"#
        + #""version":3}"#)
    #expect(try await bench.state("z.z")?["actions"] == .list(List()))
  }

  @Test func `host/reloaded and host/restored tell it, too`() async throws {
    let bench = try await Bench([
      "a.lua": Self.a, "y.lua": Self.listener("host/reloaded"),
      "z.lua": Self.listener("host/restored"),
    ])
    try bench.folder.save("a.lua", Self.a.replacing("n = 1", with: "n = 1, new = 2"))
    await bench.host.reload()
    #expect(try await bench.state("y.a.state")?.canonicalText == #"{"n":1,"new":2}"#)
    let state = try #require(await bench.host.savedState(of: bench.session))
    let other = await bench.host.openSession(restoring: state)
    let path = try Path(parsing: "z.a.actions[1].type")
    #expect(await bench.host.state(of: other)?.value(at: path) == "a/add")
  }

  @Test func `the payload of each completion is declared as it is`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      [
        "m.lua": """
        return { routes = { ["/x/:n"] = function(r) return { title = r.params.n } end } }
        """
      ],
      adding: [
        {
          try Module("log") { module in
            module.reducers = [
              Reducer(.family(prefix: "nav/did_")) { _, action in
                let info = ActionInfo.completions.first { $0.type == action.type.string }
                let problems = info?.schema?.problems(in: action.payload) ?? []
                notes.add("\(action.type) \(problems)")
              }
            ]
          }
        }
      ])
    let steps: [(String, Value)] = [
      ("nav/push", ["screen": "/x/1"]), ("nav/push", ["screen": "/x/2"]), ("nav/pop", nil),
      ("nav/set_navigation", ["screens": ["/x/3", "/x/4"]]), ("nav/present", ["node": "/x/5"]),
      ("nav/dismiss", nil), ("nav/start", ["id": "side"]), ("nav/focus", ["id": "side"]),
      ("nav/focus", ["id": "main"]), ("nav/close", ["id": "side"]),
      ("nav/set", ["root": ["master": "/x/12", "detail": "/x/14", "id": "s"]]),
      ("nav/set_column", ["column": "detail", "node": "/x/13"]),
      ("nav/select_column", ["column": "detail"]), ("nav/collapse", nil), ("nav/expand", nil),
      (
        "nav/set",
        ["root": ["tabs": ["/x/6", "/x/7"], "id": "t"]]
      ),
      ("nav/insert_tab", ["tab": "/x/8"]), ("nav/select_tab", ["index": 2]),
      ("nav/set_tabs", ["tabs": ["/x/9", "/x/10", "/x/11"]]),
    ]
    for (type, payload) in steps { try await bench.dispatch(type, payload) }
    let tree = try #require(await bench.host.navigationTree(of: bench.session))
    let last = try #require(tree.screens.last)
    try await bench.dispatch("nav/remove_tab", ["id": .string(last.id)])
    var screen = try #require(await bench.topScreen())
    screen.title = "other"
    try await bench.dispatch("nav/update", ["screen": screen.value])
    #expect(notes.all.filter { !$0.hasSuffix(" []") } == [])
    let types = Set(notes.all.map { String($0.prefix { $0 != " " }) })
    // Only a session that is restored announces that.
    #expect(
      Set(NavigationCompletion.types.map(\.string)).subtracting(types) == ["nav/did_restore"])
    #expect(
      ActionInfo.completions.map(\.type) == NavigationCompletion.types.map(\.string))
  }

  @Test(arguments: [
    ("print(route)", 1), ("print(route.params)", 1), ("print { wildcard = 1, ['*'] = 2 }", 1),
    ("print { ['*'] = 2 }", 1),
  ])
  func `a wildcard appears once in what is printed`(body: String, count: Int) async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes, ["m.lua": "return { handlers = { ['/f/*'] = function(route) \(body) end } }"])
    try await bench.route("/f/a/b")
    let printed = notes.all.joined()
    #expect(printed.components(separatedBy: "wildcard").count <= count + 1)
    #expect(!printed.contains("JLRoute"))
  }

  @Test func `the names of the ancestors are still there`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "m.lua": """
        return { handlers = { ['/f/*'] = function(r)
          print(r.params['*'][1] .. r.params.JLRouteWildcardComponents[2] .. r.RoutePattern)
        end } }
        """
      ])
    try await bench.route("/f/a/b")
    #expect(notes.all == ["ab/f/*"])
  }
}
