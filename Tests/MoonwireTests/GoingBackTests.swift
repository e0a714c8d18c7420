import MoonTestSupport
import Moonwire
import Testing

/// The results of a module's `on_back`.
struct GoingBackTests {
  private static func app(_ hook: String) -> String {
    """
    local moon = require "moonwire"
    return moon.module {
      state = { dirty = true, asked = 0 },
      actions = { clean = "", ask = "" },
      reducers = {
        clean = function(state) state.dirty = false end,
        ask = function(state) state.asked = state.asked + 1 end,
      },
      routes = {
        ["/list"] = function() return { kind = "list", title = "List" } end,
        ["/edit"] = function() return { kind = "edit", title = "Edit" } end,
        ["/sure"] = { option = moon.modal(), screen = function()
          return { kind = "sure", title = "Sure?" }
        end },
      },
      on_back = \(hook),
    }
    """
  }

  private func bench(_ hook: String) async throws -> Bench {
    let bench = try await Bench(["m.lua": Self.app(hook)])
    try await bench.route("/list")
    try await bench.route("/edit")
    return bench
  }

  /// Ways to go back, and whether the hook is called.
  static let ways: [(type: String, payload: Value, isAsked: Bool)] = [
    ("nav/back", nil, true), ("nav/back", ["window": "main"], true),
    ("nav/pop", ["origin": "user"], true), ("nav/pop", nil, false),
  ]

  @Test(arguments: ways)
  func `a module may refuse`(type: String, payload: Value, isAsked: Bool) async throws {
    let bench = try await bench(
      "function(screen, state) if state.dirty then return false, 'not saved' end end")
    let before = await bench.canonicalState()
    if isAsked {
      let error = await bench.failure(of: type, payload)
      let module = try #require(ModuleName("m"))
      #expect(
        error
          == .keptBack(
            by: module, at: SourcePlace(file: "m.lua", line: 16), reason: "not saved"))
      #expect(await bench.canonicalState() == before)
      try await bench.dispatch("m/clean")
    }
    try await bench.dispatch(type, payload)
    #expect(await bench.titles() == ["List"])
  }

  private static let split = """
    local moon = require "moonwire"
    local function screen(route) return { title = route.url } end
    return {
      actions = { begin = "Begins" },
      routes = { ["/list"] = screen, ["/one"] = screen, ["/two"] = screen,
        ["/over"] = { option = moon.modal { stack = true }, screen = screen } },
      map_navigation = { begin = function()
        return moon.nav.set(moon.nav.tabs { id = "split", selected = 2,
          moon.nav.stack { id = "master", "/list" }, moon.nav.stack { id = "detail", "/one" } })
      end },
      containers = { split = function(split)
        if split.selected == 2 then return moon.nav.select_tab("master") end
        return false, "the list stays"
      end },
    }
    """

  @Test(
    arguments: [
      ([], "/list 1"), (["/two"], "/one 2"), (["/over"], "/one 2"), (["/over", "/two"], "/over 2"),
    ] as [([Text], String)])
  func `a container is asked when it would be left`(urls: [Text], shown: String) async throws {
    let bench = try await Bench(["m.lua": Self.split])
    try await bench.dispatch("m/begin")
    for url in urls { try await bench.route(url) }
    try await bench.host.back(in: bench.session)
    let tree = try #require(await bench.host.navigationTree(of: bench.session))
    let selected = (tree.windows[0].root?.shownIndex ?? -1) + 1
    #expect("\(tree.topScreen?.title ?? "-") \(selected)" == shown)
  }

  @Test func `a container may refuse, and only its first module is asked, after the screen's`()
    async throws
  {
    let bench = try await Bench([
      "m.lua": Self.split,
      "n.lua": "return { containers = { split = function() error('not asked') end } }",
    ])
    try await bench.dispatch("m/begin")
    try await bench.host.back(in: bench.session)
    let error = await bench.failure(of: "nav/back")
    #expect("\(error as Any)".contains("the list stays"))
    let own = Self.split.replacing(
      "containers =", with: "on_back = function() return false, 'first' end, containers =")
    try bench.folder.save("m.lua", own)
    try await bench.host.load()
    #expect("\(await bench.failure(of: "nav/back") as Any)".contains("first"))
  }

  @Test func `a person's step back is asked about as any`() async throws {
    let bench = try await bench("function() return false end")
    await #expect(throws: DispatchError.self) { try await bench.host.back(in: bench.session) }
    #expect(await bench.titles() == ["List", "Edit"])
  }

  @Test func `only the module of the screen on top is asked`() async throws {
    let bench = try await Bench([
      "m.lua": Self.app("function(screen) assert(screen.kind == 'edit') return false end"),
      "n.lua": "return { routes = { ['/n'] = function() return { title = 'N' } end } }",
    ])
    try await bench.route("/edit")
    try await bench.route("/n")
    try await bench.host.back(in: bench.session)
    #expect(await bench.titles() == ["Edit"])
  }

  @Test(
    arguments: [
      ("'/sure'", ["List", "Edit", "Sure?"]), ("{ '/sure' }", ["List", "Edit", "Sure?"]),
      ("moon.nav.pop_to_root()", ["List"]), ("moon.nav.back()", ["List"]),
      ("{ moon.nav.pop(), '/sure' }", ["List", "Sure?"]), ("{}", ["List", "Edit"]),
      ("true", ["List"]), ("nil", ["List"]),
    ])
  func `a module may do something else`(answer: String, titles: [String]) async throws {
    let bench = try await bench("function() return \(answer) end")
    try await bench.dispatch("nav/back")
    #expect(await bench.titles() == titles)
  }

  @Test func `an action in its place is carried out, too`() async throws {
    let bench = try await bench("function() return { { type = 'ask' }, { type = 'm/ask' } } end")
    try await bench.dispatch("nav/back")
    #expect(await bench.titles() == ["List", "Edit"])
    #expect(try await bench.state("m.asked") == 2)
  }

  @Test func `if what is done instead fails, nothing has changed`() async throws {
    let bench = try await bench("function() return { moon.nav.pop(), moon.nav.pop() } end")
    let before = await bench.canonicalState()
    #expect(await bench.failure(of: "nav/back") != nil)
    #expect(await bench.canonicalState() == before)
  }

  @Test(
    arguments: [
      "function() error('no', 0) end", "function() return 5 end", "function() return print end",
      "function() return { 5 } end",
    ])
  func `a hook that fails keeps nobody`(hook: String) async throws {
    let bench = try await bench(hook)
    let outcome = try await bench.dispatch("nav/back")
    #expect(await bench.titles() == ["List"])
    #expect(outcome.faults.count == 1)
    #expect(outcome.faults.first?.registration.kind == .onBack)
    #expect(outcome.faults.first?.place == SourcePlace(file: "m.lua", line: 16))
  }

  @Test func `a hook sees what was typed and not submitted`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      return {
        state = { saved = 0 },
        actions = { save = { text = "string" } },
        reducers = { save = function(state) state.saved = state.saved + 1 end },
        routes = { ['/a'] = function() return {} end, ['/b'] = function()
          return { body = { moon.ui.input { id = "text" }, moon.ui.button("Save", "save") } }
        end },
        on_back = function(screen) return not screen.inputs.text, screen.inputs.text end,
      }
      """
    ])
    try await bench.route("/a")
    try await bench.route("/b")
    try await bench.host.fill([("text", "typed")], in: bench.session)
    guard case .keptBack(_, _, "typed")? = await bench.failure(of: "nav/back") else {
      Issue.record("it keeps what was typed")
      return
    }
    try await bench.host.use(.name("Save"), in: bench.session)
    try await bench.dispatch("nav/back")
    #expect(await bench.screens().count == 1)
  }

  @Test func `a module in Swift has such a hook, too`() async throws {
    let bench = try await Bench(adding: [
      {
        var module = try Module.routing("m", "/x/:n")
        module.hooks.onBack = BackHook { _, _, _ in .stay(reason: nil) }
        return module
      }
    ])
    try await bench.route("/x/1")
    try await bench.route("/x/2")
    let error = await bench.failure(of: "nav/back")
    #expect("\(error?.description ?? "")" == "module m doesn't let it go back")
  }

  @Test func `what isn't a function is a problem`() async throws {
    let bench = try await Bench(["m.lua": "return {\n  on_back = 5,\n}"])
    #expect(
      try await bench.info("m")?.problems.map(\.description) == [
        "m.lua:2: on_back of module m is a number, and must be a function"
      ])
  }
}
