import Moonwire
import Testing

/// The appearance of screens, and people's interaction with them.
///
/// Invariant 14: screens are data, and views are read-only.
struct ScreensTests {
  private static let app = """
    local moon = require "moonwire"
    return {
      state = { said = {} },
      actions = { say = { name = "string?", extra = "any?", loud = "any?" } },
      reducers = {
        say = function(s, p, a)
          s.said[#s.said + 1] = tostring(p.name) .. " " .. tostring(p.extra) .. " " .. a.meta.cause
        end,
      },
      routes = {
        ["/form"] = { kind = "form", screen = function() return { title = "Form" } end },
        ["/plain"] = { kind = "plain", screen = function() return { body = { "plain" } } end },
        ["/foreign"] = { kind = "foreign", screen = function() return {} end },
        ["/bad"] = { kind = "bad", screen = function() return {} end },
        ["/raises"] = { kind = "raises", screen = function() return {} end },
        ["/number"] = { kind = "number", screen = function() return {} end },
      },
      views = {
        form = function(screen, slice, self)
          return {
            { type = "TextBlock",
              text = screen.title .. " " .. #slice.said .. " " .. #self.state("app.said") },
            { type = "Input.Text", id = "name", label = "Name", maxLength = 5 },
            { type = "TextBlock", id = "more", text = "more", isVisible = false },
            { type = "ActionSet", actions = {
              { type = "Action.Execute", title = "Say", verb = "say", data = { extra = 1 } },
              { type = "Action.Execute", title = "Other", verb = "other/go" },
              { type = "Action.OpenUrl", title = "Plain", url = "/plain" },
              { type = "Action.OpenUrl", title = "Nowhere", url = "/nowhere" },
              { type = "Action.ToggleVisibility", title = "More", targetElements = { "more" } },
              { type = "Action.Execute", title = "Twice", verb = "say" },
              { type = "Action.Execute", title = "Twice", verb = "say" },
              { type = "Action.Execute", title = "Unknown", verb = "sya" },
            } },
          }
        end,
        bad = function() return { ("x"):rep(70000) } end,
        raises = function() error("no") end,
        number = function() return 5 end,
      },
    }
    """

  @Test func `several inputs are filled in, or none`() async throws {
    let bench = try await Bench(["app.lua": Self.app])
    try await bench.route("/form")
    try await bench.host.fill([("name", "a"), ("Name", "b")], in: bench.session)
    await #expect(throws: ScreenError.self) {
      try await bench.host.fill([("name", "c"), ("nope", "d")], in: bench.session)
    }
    #expect(await bench.host.shownScreen(in: bench.session)?.inputs == ["name": "b"])
  }

  @Test func `the body of a screen may be a whole card`() async throws {
    let bench = try await Bench([
      "app.lua": """
      return { routes = { ["/x"] = function() return { body = {
        type = "AdaptiveCard", version = "1.5", body = { { type = "TextBlock", text = "in it" } },
        actions = { { type = "Action.OpenUrl", title = "Again", url = "/x" } },
      } } end }, presenters = function(screen) screen.title = "T" end }
      """
    ])
    try await bench.route("/x")
    let card = try #require(await bench.host.shownScreen(in: bench.session)?.card)
    #expect(card.warnings == [])
    #expect(card.controls.map(\.title) == ["Again"])
    try await bench.host.use(.number(1), in: bench.session)
    #expect(await bench.titles() == ["T", "T"])
  }

  private static let other = """
    return {
      state = { n = 0 },
      reducers = { go = function(s) s.n = s.n + 1 end },
      views = {
        ["app/form"] = function() return { "theirs" } end,
        ["app/foreign"] = function() return { "theirs" } end,
        form = function() return { "their own" } end,
      },
    }
    """

  private static func bench(at url: Text) async throws -> Bench {
    let bench = try await Bench(["app.lua": app, "other.lua": other])
    try await bench.route(url)
    return bench
  }

  private static func lines(_ bench: Bench) async -> [String] {
    await bench.host.shownScreen(in: bench.session)?.card?.lines(width: 80).map(\.text) ?? []
  }

  @Test func `one's own view comes before another module's`() async throws {
    let bench = try await Self.bench(at: "/form")
    #expect(await Self.lines(bench).first == "Form 0 0")
    try await bench.route("/foreign")
    #expect(await Self.lines(bench) == ["theirs"])
    try await bench.route("/plain")
    let shown = try #require(await bench.host.shownScreen(in: bench.session))
    #expect(!shown.isDrawn)
    #expect(await Self.lines(bench) == ["plain"])
  }

  @Test func `a tap dispatches one's own verb with the inputs`() async throws {
    let bench = try await Self.bench(at: "/form")
    try await bench.host.fill([("name", "Ann")], in: bench.session)
    try await bench.host.use(.name("Say"), in: bench.session)
    #expect(try await bench.state("app.said") == ["Ann 1 screen form"])
    #expect(await Self.lines(bench).first == "Form 1 1", "the view is drawn anew")
    // What was sent is cleared.
    try await bench.host.fill([("name", "Ann")], in: bench.session)
    try await bench.host.use(.number(1), in: bench.session)
    #expect(try await bench.state("app.said[2]") == "Ann 1 screen form")
    let entry = await bench.host.history(of: bench.session).entries.last
    #expect(entry?.action.meta.cause == .screen("form"))
  }

  @Test func `a tap dispatches another module's verb and routes URLs`() async throws {
    let bench = try await Self.bench(at: "/form")
    try await bench.host.use(.name("Other"), in: bench.session)
    #expect(try await bench.state("other.n") == 1)
    try await bench.host.use(.name("Plain"), in: bench.session)
    #expect(await bench.topScreen()?.kind == "plain")
    let entries = await bench.host.history(of: bench.session).entries
    #expect(entries.suffix(2).map { "\($0.action.meta.cause)" } == ["screen form", "screen form"])
  }

  @Test func `hidden elements stay hidden until the screen is removed`() async throws {
    let bench = try await Self.bench(at: "/form")
    let before = await bench.canonicalState()
    #expect(await Self.lines(bench).contains("more") == false)
    try await bench.host.use(.name("More"), in: bench.session)
    #expect(await Self.lines(bench).contains("more"))
    #expect(await bench.canonicalState() == before, "no part of the state")
    try await bench.host.fill([("name", "Ann")], in: bench.session)
    try await bench.dispatch("nav/root", ["screen": "/plain"])
    try await bench.dispatch("nav/root", ["screen": "/form"])
    #expect(await bench.topScreen()?.id == "form")
    #expect(await Self.lines(bench).contains("more") == false)
    #expect(await bench.host.shownScreen(in: bench.session)?.inputs == [:])
  }

  @Test func `what can't be done says why`() async throws {
    let bench = try await Self.bench(at: "/form")
    let (host, session) = (bench.host, bench.session)
    await #expect(throws: ScreenError.ambiguousControl("Twice", numbers: [6, 7])) {
      try await host.use(.name("Twice"), in: session)
    }
    await #expect(throws: ScreenError.noInput("nome", known: ["name"])) {
      try await host.fill([("nome", "")], in: session)
    }
    await #expect(throws: ScreenError.self) { try await host.use(.number(99), in: session) }
    await #expect(throws: ScreenError.self) { try await host.use(.number(0), in: session) }
    await #expect(throws: ScreenError.self) {
      try await host.fill([("name", "far too long")], in: session)
    }
    #expect(await bench.host.shownScreen(in: session)?.inputs == [:])
    do {
      try await host.use(.name("Nowhere"), in: session)
      Issue.record("there is no route")
    } catch {
      guard case .control(_, .routing) = error else {
        Issue.record("\(error)")
        return
      }
    }
    do {
      try await host.use(.name("Unknown"), in: session)
      Issue.record("there is no such action")
    } catch {
      guard case .control(let control, let refusal) = error else { throw error }
      #expect(control.title == "Unknown")
      #expect(refusal == .unknownType("app/sya", nearest: "app/say"))
    }
    #expect(await bench.host.shownScreen("nobody", in: session) == nil)
  }

  @Test func `without a screen there is nothing to do`() async throws {
    let bench = try await Bench()
    #expect(await bench.host.shownScreen(in: bench.session) == nil)
    await #expect(throws: ScreenError.noScreen) {
      try await bench.host.use(.number(1), in: bench.session)
    }
    await #expect(throws: ScreenError.noScreen) {
      try await bench.host.fill([("x", "")], in: bench.session)
    }
  }

  @Test(arguments: [
    ("/bad", "malformed"), ("/raises", "fault"), ("/number", "fault"),
  ])
  func `a view that fails is told to who looks, and the screen stays`(
    url: Text, kind: String
  ) async throws {
    let bench = try await Self.bench(at: url)
    let before = await bench.canonicalState()
    let shown = try #require(await bench.host.shownScreen(in: bench.session))
    #expect(shown.card == nil)
    switch try #require(shown.failure) {
    case .fault(let fault):
      #expect(kind == "fault")
      #expect(fault.registration.kind == .view)
      #expect(fault.place?.file == "app.lua")
    case .suspended: Issue.record("suspended")
    case .malformed(_, let place):
      #expect(kind == "malformed")
      #expect(place?.file == "app.lua")
    }
    await #expect(throws: ScreenError.self) {
      try await bench.host.use(.number(1), in: bench.session)
    }
    #expect(await bench.canonicalState() == before)
    try await bench.route("/plain")
    #expect(await Self.lines(bench) == ["plain"])
  }

  @Test func `a view can't dispatch or route, in Lua as in Swift`() async throws {
    let bench = try await Bench(
      [
        "app.lua": """
        return {
          state = { n = 0 }, reducers = { go = function(s) s.n = s.n + 1 end },
          routes = { ["/d"] = { kind = "d", screen = function() return {} end },
            ["/r"] = { kind = "r", screen = function() return {} end } },
          views = {
            d = function(screen, slice, self) self.dispatch("go") return {} end,
            r = function(screen, slice, self) pcall(self.route, "/d") return { "ok" } end,
          },
        }
        """
      ],
      adding: [
        {
          let pattern = try RoutePattern(parsing: "/swift")
          return try Module("m") { module in
            module.routes = [Route(pattern, kind: "v") { _, _ in Screen(id: "") }]
            module.views = [
              View("v") { _, context in
                try context.dispatch(Action("app/go"))
                return ["drawn"]
              }
            ]
          }
        }
      ])
    for url: Text in ["/d", "/swift"] {
      try await bench.route(url)
      guard case .fault(let fault) = await bench.host.shownScreen(in: bench.session)?.failure else {
        Issue.record("a view can't dispatch")
        continue
      }
      #expect(
        fault.reason == .raised("a view only shows: it can't dispatch; let a person's tap dispatch")
      )
    }
    try await bench.route("/r")
    #expect(await bench.host.shownScreen(in: bench.session)?.card != nil)
    try await bench.dispatch("nav/pop")
    #expect(try await bench.state("app.n") == 0)
  }

  @Test func `what is dispatched while a screen is made by its URL is done`() async throws {
    let bench = try await Bench([
      "app.lua": """
      return {
        state = { n = 0 }, reducers = { go = function(s) s.n = s.n + 1 end },
        routes = { ["/x"] = function(r, slice, self) self.dispatch("go") return {} end },
      }
      """
    ])
    _ = try await bench.host.screen(for: "/x", in: bench.session)
    #expect(try await bench.state("app.n") == 1)
  }

  private static let searching = """
    local moon = require "moonwire"
    local ui = moon.ui
    return moon.module {
      state = { seen = moon.list() },
      actions = { search = { words = "string", limit = "integer?", size = "any?" },
        sized = { size = "number?" } },
      reducers = {
        search = function(s, p)
          if p.words == "no" then moon.refuse "Not that" end
          s.seen[#s.seen + 1] = p.words .. (p.limit or "") .. tostring(p.size)
        end,
        sized = function(s, p) s.seen[#s.seen + 1] = tostring(p.size) end,
      },
      routes = { ["/search"] = { kind = "form", screen = function() return {} end },
        ["/o"] = { kind = "o", option = moon.root(), screen = function() return {} end } },
      views = {
        form = function()
          return {
            ui.input { id = "words", changed = { type = "search", payload = { limit = 3 } } },
            ui.number { id = "size", changed = "sized", min = 1 },
            ui.number { id = "other", value = 7, required = true },
            ui.toggle { id = "away", changed = { type = "nav/route", payload = { url = "/o" } } },
          }
        end,
      },
    }
    """

  @Test(arguments: [
    ([("words", "a")], ["a3nil"]), ([("words", "a"), ("words", "")], ["a3nil", "3nil"]),
    ([("words", "a"), ("words", "a")], ["a3nil"]), ([("words", "")], []), ([("other", "1")], []),
    ([("size", "2"), ("size", "")], ["2", "nil"]),
  ])
  func `an input that is filled in does what it names, without the others`(
    filled: [(String, String)], seen: [String]
  ) async throws {
    let bench = try await Bench(["app.lua": Self.searching])
    try await bench.route("/search")
    for (input, text) in filled {
      try await bench.host.fill([(input, text)], in: bench.session)
    }
    let expected = Value.list(List(seen.map { .string(Text($0)) }))
    #expect(try await bench.state("app.seen") == expected)
  }

  @Test func `an input whose action is refused holds what it held before`() async throws {
    let bench = try await Bench(["app.lua": Self.searching])
    try await bench.route("/search")
    let outcomes = try await bench.host.fill(
      [("words", "tea"), ("size", "2")], in: bench.session)
    #expect(outcomes.count == 2)
    let error = await #expect(throws: ScreenError.self) {
      try await bench.host.fill([("words", "no")], in: bench.session)
    }
    guard case .change("words", at: let place, .refused)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(place?.line == 19)
    let inputs = await bench.host.shownScreen(in: bench.session)?.inputs
    #expect(inputs == ["words": "tea", "size": 2])
  }

  @Test func `a view is drawn for the room that there is, and nothing else knows of it`()
    async throws
  {
    let module = """
      return {
        state = { seen = "" },
        actions = { look = {} },
        reducers = { look = function(s) s.seen = "none" end },
        observe = {
          app = function(_, _, self)
            if self.size() then error("it is known") end
          end,
        },
        routes = { ["/"] = { kind = "sized", screen = function() return {} end } },
        views = {
          sized = function(_, _, self)
            local columns, rows = self.size()
            return tostring(columns) .. " by " .. tostring(rows)
          end,
        },
      }
      """
    let bench = try await Bench(["app.lua": module])
    try await bench.route("/")
    func drawn() async -> [String]? {
      await bench.host.shownScreen(in: bench.session)?.lines(width: 40).map(\.text)
    }
    #expect(await drawn() == ["nil by nil"])
    for (size, text) in [((78, 22), "78 by 22"), ((0, .max), "1 by 10000")] {
      await bench.host.perform { [session = bench.session] host in
        session.resizeScreens(to: ScreenSize(columns: size.0, rows: size.1), on: host)
      }
      #expect(await drawn() == [text])
    }
    #expect(try await bench.dispatch("app/look").faults.isEmpty)
  }

  private static let log = """
    local moon = require "moonwire"
    local ui, made = moon.ui, 0
    return moon.module {
      state = { count = 50000 },
      actions = { shrink = {} },
      reducers = { shrink = function(s) s.count = 3 end },
      routes = { ["/"] = { kind = "log", screen = function() return {} end } },
      commands = { made = function() local was = made; made = 0; return was end },
      views = {
        log = function(_, state, self)
          return ui.list(state.count, function(i) made = made + 1 return ui.text("row " .. i) end,
            { id = "log", rows = self.visible_rows })
        end,
      },
    }
    """

  private func scroll(_ list: String, to row: Int, in bench: Bench) async throws(ScreenError) {
    try await bench.host.perform { [session = bench.session] (host) throws(ScreenError) in
      try session.scroll(list: list, to: row, on: host)
    }
  }

  @Test func `only the rows of a list that are seen are made`() async throws {
    let bench = try await Bench(["app.lua": Self.log])
    try await bench.route("/")
    func drawn() async -> [String] {
      await bench.host.shownScreen(in: bench.session)?.lines(width: 40).map(\.text) ?? []
    }
    _ = try await bench.host.call("app/made", in: bench.session)
    #expect(await drawn() == (1...20).map { "row \($0)" } + ["… 49980 below"])
    #expect(try await bench.host.call("app/made", in: bench.session) == 20)
    await bench.host.perform { [session = bench.session] host in
      session.resizeScreens(to: ScreenSize(columns: 40, rows: 10), on: host)
    }
    for (row, first) in [(500, 500), (Int.max, 49_971), (Int.min, 1)] {
      try await scroll("log", to: row, in: bench)
      #expect(await drawn().contains("row \(first)"))
      #expect(await !drawn().contains("row \(first - 1)"))
      #expect(await drawn().count { $0.hasPrefix("row") } == 30)
    }
    try await bench.dispatch("app/shrink")
    #expect(await drawn() == ["row 1", "row 2", "row 3"])
  }

  @Test func `a list that isn't there can't be scrolled, and says which ones can`() async throws {
    let bench = try await Bench(["app.lua": Self.log])
    await #expect(throws: ScreenError.noScreen) {
      try await scroll("log", to: 1, in: bench)
    }
    try await bench.route("/")
    await #expect(throws: ScreenError.noList("lgo", known: ["log"])) {
      try await scroll("lgo", to: 1, in: bench)
    }
  }

  @Test(arguments: [
    ("ui.list(100001, f, { id = 'l', rows = self.visible_rows })", "at most 100000"),
    ("ui.list(-1, f, { id = 'l', rows = self.visible_rows })", "at most 100000"),
    ("ui.list(3, f, { rows = self.visible_rows })", "has an id, too"),
    ("ui.list(3, f, { id = 'l', rows = 5 })", "has an id, too"),
    ("ui.list(2.5, f)", "a whole number of items"),
    (
      "ui.list(3, function() return nil end, { id = 'l', rows = self.visible_rows })",
      "for item 1 the function returned a nil"
    ),
  ])
  func `a wrong list is an error of the line that makes it`(
    list: String, text: String
  ) async throws {
    let module = """
      local ui = require "moonwire".ui
      return {
        routes = { ["/"] = { kind = "log", screen = function() return {} end } },
        views = { log = function(_, _, self)
          local f = function(i) return ui.button("b" .. i, "b") end
          local made = \(list)
          return made
        end },
      }
      """
    let bench = try await Bench(["app.lua": module])
    try await bench.route("/")
    let failure = await bench.host.shownScreen(in: bench.session)?.failure
    guard case .fault(let fault)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect("\(fault)".contains(text))
    #expect(fault.place?.line == 6)
  }

  @Test func `an input that leads away from the screen ends what the others do`() async throws {
    let bench = try await Bench(["app.lua": Self.searching])
    try await bench.route("/search")
    let outcomes = try await bench.host.fill(
      [("away", "yes"), ("words", "tea")], in: bench.session)
    #expect(outcomes.count == 1)
    #expect(try await bench.state("app.seen") == [])
  }
}
