import Moonwire
import Testing

/// Presenters that run again because the state that they have read has changed.
struct PresentingTests {
  private static let files = [
    "shop.lua": """
    local moon = require "moonwire"
    return {
      state = { count = 0 },
      actions = { add = {}, rename = {} },
      reducers = { add = function(state) state.count = state.count + 1 end },
      routes = {
        ["/list"] = function(route, state) return { kind = "list", title = "List" } end,
        ["/item"] = function() return { kind = "item", title = "Item" } end,
      },
      map_navigation = { rename = function()
        return moon.nav.update { id = "list", kind = "list", title = "Renamed", url = "/list",
          module = "shop", body = "by hand" }
      end },
    }
    """,
    "flags.lua": """
    return {
      state = { new = false },
      actions = { flip = {} },
      reducers = { flip = function(state) state.new = not state.new end },
    }
    """,
  ]

  private static let flagged = """
    presenters = { on = "shop/list", run = function(screen, route, state, self)
      print "runs"
      if self.state "flags.new" then screen.title = "New " .. screen.title end
    end },
    """

  /// A bench with one more module, on the list.
  private func bench(_ presenter: String, _ notes: Notes = Notes()) async throws -> Bench {
    var files = Self.files
    files["z.lua"] = "local moon = require 'moonwire'\nreturn {\n\(presenter)\n}"
    let bench = try await Bench.noting(notes, files)
    try await bench.route("/list")
    return bench
  }

  @Test(
    arguments: [
      "title = function(screen, state) if screen.kind == 'n' then return 'N ' .. state.n end end",
      "title = { n = function(screen, state) return 'N ' .. state.n end }",
    ])
  func `a title follows the state`(title: String) async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        state = { n = 0 },
        reducers = { add = function(state) state.n = state.n + 1 end },
        routes = {
          ["/n"] = function() return { kind = "n", title = "of the route" } end,
          ["/o"] = function() return { kind = "o", title = "other" } end,
        },
        \(title),
      }
      """
    ])
    try await bench.route("/n")
    try await bench.dispatch("m/add")
    #expect(await bench.titles() == ["N 1"])
    try await bench.route("/o")
    try await bench.dispatch("m/add")
    #expect(await bench.titles() == ["N 1", "other"])
    try await bench.host.back(in: bench.session)
    #expect(await bench.titles() == ["N 2"])
  }

  @Test func `a title that isn't a text is a fault`() async throws {
    let bench = try await Bench([
      "m.lua":
        "return { routes = { ['/'] = function() return {} end }, title = function() return 1 end }"
    ])
    let error = await bench.routingError(of: "/")
    #expect(error.map { "\($0)".contains("title returns a text") } == true)
  }

  @Test func `the title of another module's screen follows a flag of a third`() async throws {
    let notes = Notes()
    let bench = try await bench(Self.flagged, notes)
    #expect(await bench.titles() == ["List"])
    let outcome = try await bench.dispatch("flags/flip")
    #expect(await bench.titles() == ["New List"])
    #expect(outcome.navigation?.after.topScreen?.title == "New List")
    try await bench.dispatch("flags/flip")
    #expect(await bench.titles() == ["List"])
    #expect(notes.all == ["runs", "runs", "runs"])
    #expect(
      await bench.history().suffix(4)
        == ["flags/flip ok", "nav/update ok", "flags/flip ok", "nav/update ok"])
  }

  @Test func `state that no presenter has read calls none`() async throws {
    let notes = Notes()
    let bench = try await bench(Self.flagged, notes)
    for _ in 1...5 { try await bench.dispatch("shop/add") }
    #expect(notes.all == ["runs"])
  }

  @Test func `a covered screen is updated when it is shown again`() async throws {
    let notes = Notes()
    let bench = try await bench(Self.flagged, notes)
    try await bench.route("/item")
    try await bench.dispatch("flags/flip")
    #expect(await bench.titles() == ["List", "Item"])
    #expect(notes.all == ["runs"])
    try await bench.dispatch("nav/back")
    #expect(await bench.titles() == ["New List"])
  }

  @Test func `a change between the routing and its end is not missed`() async throws {
    var files = Self.files
    files["z.lua"] = """
      return {
        \(Self.flagged)
        on_start = function(self) self.route "/list" self.dispatch "flags/flip" end,
      }
      """
    let bench = try await Bench(files)
    #expect(await bench.titles() == ["New List"])
  }

  @Test func `what others have changed on the screen is kept`() async throws {
    let bench = try await bench(
      """
      presenters = { on = "shop/list", run = function(screen, route, state, self)
        screen.props = { new = self.state "flags.new" }
      end },
      """)
    try await bench.dispatch("shop/rename")
    try await bench.dispatch("flags/flip")
    let screen = try #require(await bench.screens().first)
    #expect(screen.title == "Renamed")
    #expect(screen.props == ["new": true])
  }

  @Test func `the event of a watched screen comes`() async throws {
    let bench = try await bench(Self.flagged)
    await bench.host.watchScreen(of: bench.session)
    try await bench.dispatch("flags/flip")
    try await bench.events.upTo("screen of session 1")
    guard case .screenChanged(_, let shown?)? = await bench.events.last("screen of session 1")
    else {
      Issue.record("no screen")
      return
    }
    #expect(shown.screen.title == "New List")
  }

  @Test(arguments: [
    "self.dispatch 'z/count'", "self.dispatch 'z/ask'", "self.dispatch('z/later')",
  ])
  func `a presenter that changes what it reads ends`(dispatching: String) async throws {
    let notes = Notes()
    let bench = try await bench(
      """
      state = { count = 0 },
      actions = { count = {}, ask = {}, later = {}, reset = {} },
      reducers = {
        count = function(state) state.count = state.count + 1 end,
        reset = function(state) state.count = 0 end,
      },
      effects = { ask = function() return "count" end },
      map_modules = function(action)
        if action.type == "z/later" then return moon.replace { type = "z/count" } end
      end,
      presenters = { on = "shop/list", run = function(screen, route, state, self)
        print(state.count)
        screen.title = "Seen " .. state.count
        \(dispatching)
      end },
      """, notes)
    let first = notes.all.count
    #expect(first <= 2)
    try await bench.dispatch("shop/add")
    #expect(notes.all.count == first, "\(notes.all)")
    try await bench.dispatch("z/reset")
    #expect(notes.all.count == first + 1)
    #expect(await bench.titles() == ["Seen 0"])
    let failures = await bench.history().filter { $0.hasSuffix("failed") }
    #expect(failures == [])
  }

  @Test func `a presenter that fails loses its part, and is called when its state changes`()
    async throws
  {
    let notes = Notes()
    let bench = try await bench(
      """
      presenters = {
        { on = "shop/list", priority = 1, run = function(screen) screen.body = "kept" end },
        { on = "shop/list", run = function(screen, route, state, self)
          print "runs"
          if self.state "flags.new" then error "no" end
          screen.title = "Old"
        end },
      },
      """, notes)
    #expect(await bench.titles() == ["Old"])
    let outcome = try await bench.dispatch("flags/flip")
    #expect(outcome.faults.count == 1)
    #expect(await bench.titles() == ["List"])
    #expect(await bench.screens().first?.body == ["kept"])
    for _ in 1...5 { #expect(try await bench.dispatch("shop/add").faults.isEmpty) }
    #expect(notes.all.count == 2)
    try await bench.dispatch("flags/flip")
    #expect(await bench.titles() == ["Old"])
  }

  @Test func `a presenter that never returns costs nobody else a turn`() async throws {
    var options = Bench.quiet
    options.budgets = Budgets(all: .milliseconds(50))
    var files = Self.files
    files["z.lua"] = """
      return { presenters = { on = "shop/list", run = function(screen, route, state, self)
        while self.state "flags.new" do end
        screen.title = "Old"
      end } }
      """
    let bench = try await Bench(files, options: options)
    try await bench.route("/list")
    try await bench.dispatch("flags/flip")
    #expect(await bench.titles() == ["List"])
    try await bench.dispatch("shop/add")
    #expect(try await bench.state("shop.count") == 1)
  }

  @Test func `presenters in Swift that read the state are called again`() async throws {
    let bench = try await Bench(
      Self.files,
      adding: [
        {
          try Module("swift") { module in
            module.presenters = [
              Presenter { screen, _, context in
                let isNew = context.state.mapValue?["flags"]?.mapValue?["new"] == true
                screen.title = isNew ? "New" : "Old"
              }
            ]
          }
        }
      ])
    try await bench.route("/list")
    try await bench.dispatch("flags/flip")
    #expect(await bench.titles() == ["New"])
  }

  @Test func `a restored screen follows as well`() async throws {
    let bench = try await bench(Self.flagged)
    let saved = try #require(await bench.host.closeSession(bench.session))
    let session = await bench.host.openSession(restoring: saved)
    try await bench.host.dispatch(Action("flags/flip"), to: session)
    #expect(await bench.host.navigationTree(of: session)?.topScreen?.title == "New List")
  }

  @Test func `screens that are gone leave nothing behind`() async throws {
    let notes = Notes()
    let bench = try await bench(Self.flagged, notes)
    try await bench.dispatch("nav/set")
    notes.clear()
    try await bench.dispatch("flags/flip")
    #expect(notes.all.isEmpty)
  }
}
