import Moonwire
import Testing

/// The navigation as a slice of the state.
///
/// Invariant 7: so are those to the navigation.
struct NavigationSliceTests {
  private static let app = """
    return {
      state = { pushes = 0, done = {} },
      actions = { go = "Goes" },
      routes = {
        ["/x/:n"] = { option = "push", screen = function(r) return { title = r.params.n } end },
      },
      reducers = {
        ["nav/push"] = function(s, p)
          if p.screen.title == "bad" then error("no") end
          s.pushes = s.pushes + 1
          s.last = p.screen.title
        end,
        ["nav/did_push"] = function(s, p, a)
          s.done[#s.done + 1] = p.screen.title .. " on " .. p.stack .. " by " .. p.origin .. " "
            .. a.meta.cause
        end,
        ["nav/did_pop"] = function(s, p)
          s.done[#s.done + 1] = "pop " .. p.screen.title .. " by " .. p.origin
        end,
      },
    }
    """

  @Test func `it is absent until something navigates, then a slice like others`() async throws {
    let bench = try await Bench(["app.lua": Self.app])
    #expect(await bench.canonicalState() == "{\"app\":{\"done\":{},\"pushes\":0}}")
    #expect(await bench.drawing() == ["window main", "└─ stack  empty*"])
    #expect(await bench.routingError(of: "/nowhere") != nil)
    #expect(try await bench.state("navigation") == nil)
    try await bench.route("/x/1")
    #expect(try await bench.state("navigation.windows[1].root.stack[1].title") == "1")
    #expect(try await bench.state("navigation.key") == "main")
    #expect(try await bench.state("navigation.loaded") == ["app"])
  }

  @Test func `reducers hear actions and completions, with their payloads`() async throws {
    let bench = try await Bench(["app.lua": Self.app])
    try await bench.route("/x/1")
    try await bench.route("/x/2")
    try await bench.host.back(in: bench.session)
    #expect(try await bench.state("app.pushes") == 2)
    #expect(
      try await bench.state("app.done") == ["2 on stack by code host", "pop 2 by user"])
    #expect(
      await bench.history() == [
        "nav/route ok", "nav/push ok", "nav/route ok", "nav/push ok", "nav/did_push ok",
        "nav/back ok", "nav/did_pop ok",
      ])
  }

  @Test func `a reducer that fails loses its slice's part, an action that fails leaves the slices`()
    async throws
  {
    let bench = try await Bench(["app.lua": Self.app])
    try await bench.route("/x/1")
    let slice = try await bench.state("app")
    let outcome = try await bench.dispatch("nav/route", ["url": "/x/bad"])
    #expect(outcome.faults.map(\.summary) == ["app reducer nav/push app.lua:9 raised(\"no\")"])
    #expect(await bench.screens().count == 2)
    #expect(try await bench.state("app.pushes") == slice?["pushes"])
    let before = await bench.canonicalState()
    // If the tree refuses, the reducer hasn't run, or its changes are undone.
    #expect(
      await bench.failure(of: "nav/push", ["screen": ["id": "app", "title": "again"]]) != nil)
    #expect(await bench.canonicalState() == before)
  }

  @Test func `one action that does several things does all of them or none`() async throws {
    let bench = try await Bench([
      "app.lua": Self.app,
      "both.lua": """
      local moon = require "moonwire"
      return {
        routing_presenters = { both = function(screen)
          return { moon.nav.push(screen), moon.nav.pop(), moon.nav.dismiss() }
        end },
      }
      """,
    ])
    try await bench.route("/x/1")
    #expect(
      await bench.routingError(of: "/x/2", [:], RoutingOption("both"))?.summary
        == "/x/2 | /x/:n | app | app.lua:5 | nothing to dismiss: window main presents "
        + "nothing")
    #expect(try await bench.state("app.pushes") == 1)
  }

  @Test func `observers of parts of it are told of those parts only`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "app.lua": Self.app,
        "o.lua": """
        return { observe = {
          ["navigation.windows[1].root.stack[1].title"] = function(new, old)
            print(tostring(old) .. " → " .. tostring(new))
          end,
          ["navigation.key"] = function(new) print("key " .. tostring(new)) end,
          ["app.pushes"] = function(new) print("pushes " .. new) end,
        } }
        """,
      ])
    try await bench.route("/x/1")
    try await bench.route("/x/2")
    try await bench.dispatch("nav/root", ["screen": "/x/3"])
    #expect(
      Set(notes.all.prefix(3)) == ["nil → 1", "key main", "pushes 1"])
    #expect(notes.all.dropFirst(3) == ["pushes 2", "1 → 3"])
  }

  @Test func `middleware drops and replaces navigation`() async throws {
    let bench = try await Bench([
      "app.lua": Self.app,
      "m.lua": """
      local moon = require "moonwire"
      return { middleware = { run = function(action)
        local url = action.type == "nav/route" and action.payload.url
        if url == "/x/drop" then return false end
        if url == "/x/other" then return moon.route("/x/9") end
        if url == "/x/two" then return { moon.route("/x/a"), moon.nav.push "/x/b" } end
        if action.type == "nav/push" and action.payload.screen == "/x/7" then
          return moon.nav.push("/x/8")
        end
      end } }
      """,
    ])
    try await bench.route("/x/drop")
    #expect(try await bench.state("navigation") == nil)
    try await bench.route("/x/other")
    try await bench.dispatch("nav/push", ["screen": "/x/7"])
    try await bench.route("/x/two")
    #expect(await bench.titles() == ["9", "8", "a", "b"])
  }

  @Test func `what one action was turned into is all in the history`() async throws {
    let bench = try await Bench([
      "app.lua": Self.app,
      "m.lua": """
      local moon = require "moonwire"
      return { middleware = { on = "nav/push", run = function(action)
        if action.payload.screen == "/x/both" then
          return { moon.nav.push "/x/1", moon.nav.push "/x/2" }
        end
      end } }
      """,
    ])
    try await bench.dispatch("nav/push", ["screen": "/x/both"])
    #expect(await bench.titles() == ["1", "2"])
    let pushes = await bench.host.history(of: bench.session).entries
      .filter { $0.action.type == "nav/push" }
    #expect(pushes.map { $0.action.payload["screen"]?["title"] } == ["1", "2"])
  }

  @Test func `navigation in the middle of others' actions is one commit with them`() async throws {
    let bench = try await Bench([
      "app.lua": Self.app,
      "m.lua": """
      local moon = require "moonwire"
      return { map_modules = { ["app/go"] = function()
        return { moon.replace(moon.nav.push "/x/1"), moon.replace(moon.nav.push "/x/2") }
      end } }
      """,
    ])
    let outcome = try await bench.dispatch("app/go")
    #expect(outcome.failures.isEmpty)
    #expect(await bench.titles() == ["1", "2"])
    #expect(
      await bench.history().prefix(3) == ["app/go ok", "nav/push ok", "nav/push ok"])
  }

  @Test func `a reducer of the whole state may navigate, and is held to a tree`() async throws {
    let notes = Notes()
    let bench = try await Bench(adding: [
      { try .routing("app", "/x") },
      {
        try Module("w", state: [:]) { module in
          module.actions = [ActionDeclaration("clear"), ActionDeclaration("spoil")]
          module.wholeStateReducers = [
            Reducer(.exact("w/clear")) { whole, _ in
              guard var map = whole.mapValue else { return }
              map["navigation"] = nil
              whole = .map(map)
            },
            Reducer(.exact("w/spoil")) { whole, _ in
              guard var map = whole.mapValue else { return }
              map["navigation"] = ["windows": 5]
              whole = .map(map)
            },
          ]
          module.reducers = [
            Reducer(.exact("nav/did_set_navigation")) { _, action in
              notes.add(action.payload["origin"]?.stringValue ?? "-")
            }
          ]
        }
      },
    ])
    try await bench.route("/x")
    let before = await bench.canonicalState()
    guard case .navigation(.malformed) = await bench.failure(of: "w/spoil") else {
      Issue.record("that is no tree")
      return
    }
    #expect(await bench.canonicalState() == before)
    try await bench.dispatch("w/clear")
    #expect(await bench.screens().isEmpty)
    #expect(notes.all == ["code", "timeline"])
  }

  @Test func `a session's navigation is its own`() async throws {
    let bench = try await Bench(["app.lua": Self.app])
    let other = await bench.host.openSession()
    try await bench.route("/x/1")
    try await bench.host.route("/x/2", in: other)
    try await bench.host.route("/x/3", in: other)
    #expect(await bench.titles() == ["1"])
    #expect(await bench.host.navigationTree(of: other)?.screens.map(\.title) == ["2", "3"])
  }
}
