import Moonwire
import Testing

/// The steps of a routing and their order.
struct RoutingSequenceTests {
  /// The same modules in Lua and in Swift.
  enum Language: String, CaseIterable {
    case lua, swift
  }

  private static let main = """
    local moon = require "moonwire"
    local lifecycle = {}
    for _, stage in ipairs { "load", "did_load", "will_route", "will_appear", "did_appear",
        "did_route", "will_disappear", "did_disappear" } do
      lifecycle[stage] = function(screen, event) print(event.stage .. " " .. screen.title) end
    end
    return moon.module {
      state = {},
      routes = {
        ["/x/:id"] = {
          option = moon.push(),
          screen = function(route)
            print("screen " .. route.params.id)
            return { title = "X" }
          end,
        },
      },
      lifecycle = lifecycle,
      observe = { ["navigation.windows"] = function() print("observer") end },
      reducers = {
        ["nav/did_set_navigation"] = function() print("completion") end,
      },
    }
    """

  private static let extras = """
    local moon = require "moonwire"
    return moon.module {
      routing_options = {
        { priority = 1, run = function(route, current)
          print("option 1, now " .. current.option)
          return moon.modal()
        end },
        { priority = -1, run = function(route, current)
          print("option -1, now " .. current.option)
        end },
        { route = "/other", run = function() print("never") end },
      },
      routing_observers = {
        { priority = 1,
          will = function(route) print("will 1 " .. route.option.option) end,
          did = function(route, screen) print("did 1 " .. screen.title) end },
        { priority = 2,
          will = function() print("will 2") end, did = function() print("did 2") end },
        { route = "/other", priority = 3,
          will = function() print("never") end, did = function() print("never") end },
      },
      presenters = {
        { priority = 1, run = function(screen)
          print("presenter 1")
          screen.title = screen.title .. "1"
        end },
        { priority = 2, run = function(screen)
          print("presenter 2")
          screen.title = screen.title .. "2"
        end },
        { route = "/other", run = function() print("never") end },
      },
      routing_presenters = {
        modal = function(screen, option)
          print("presents " .. screen.title)
          return moon.nav.push(screen)
        end,
      },
    }
    """

  private static func swiftMain(_ notes: Notes) throws -> Module {
    let pattern = try RoutePattern(parsing: "/x/:id")
    return try Module("main", state: [:]) { module in
      module.routes = [
        Route(pattern, option: .push) { route, _ in
          notes.add("screen \(route.parameters["id"]?.stringValue ?? "-")")
          var screen = Screen(id: "")
          screen.title = "X"
          return screen
        }
      ]
      module.lifecycle = ScreenStage.allCases.map { stage in
        LifecycleListener(stage) { event, _ in
          notes.add("\(event.stage.rawValue) \(event.screen.title)")
        }
      }
      module.observers = [
        Observer(Path([.key("navigation"), .key("windows")])) { _, _, _ in notes.add("observer") }
      ]
      module.reducers = [
        Reducer(.exact("nav/did_set_navigation")) { _, _ in notes.add("completion") }
      ]
    }
  }

  private static func swiftExtras(_ notes: Notes) throws -> Module {
    try Module("extras") { module in
      module.optionProviders = [
        OptionProvider(priority: 1) { _, current, _ in
          notes.add("option 1, now \(current?.kind ?? "-")")
          return .modal
        },
        OptionProvider(priority: -1) { _, current, _ in
          notes.add("option -1, now \(current?.kind ?? "-")")
          return nil
        },
        OptionProvider(pattern: "/other") { _, _, _ in
          notes.add("never")
          return nil
        },
      ]
      module.routingObservers = [
        RoutingObserver(
          priority: 1,
          will: { route, _ in
            notes.add("will 1 \(route.option?.kind ?? "-")")
            return .proceed
          }, did: { _, screen, _ in notes.add("did 1 \(screen?.title ?? "-")") }),
        RoutingObserver(
          priority: 2,
          will: { _, _ in
            notes.add("will 2")
            return .proceed
          }, did: { _, _, _ in notes.add("did 2") }),
        RoutingObserver(
          pattern: "/other", priority: 3,
          will: { _, _ in
            notes.add("never")
            return .proceed
          }, did: { _, _, _ in notes.add("never") }),
      ]
      module.presenters = [1, 2].map { priority in
        Presenter(priority: priority) { screen, _, _ in
          notes.add("presenter \(priority)")
          screen.title = Text("\(screen.title)\(priority)")
        }
      }
      module.presenters.append(Presenter(pattern: "/other") { _, _, _ in notes.add("never") })
      module.routingPresenters = [
        RoutingPresenter("modal") { screen, _, _ in
          notes.add("presents \(screen.title)")
          return [Action(NavigationAction(.push(screen)))]
        }
      ]
    }
  }

  static func bench(_ language: Language, _ notes: Notes) async throws -> Bench {
    switch language {
    case .lua: try await .noting(notes, ["main.lua": main, "extras.lua": extras])
    case .swift:
      try await .noting(
        notes, adding: [{ try swiftMain(notes) }, { try swiftExtras(notes) }])
    }
  }

  @Test(arguments: Language.allCases)
  func `a routing goes its way in one order`(language: Language) async throws {
    let notes = Notes()
    let bench = try await Self.bench(language, notes)
    try await bench.route("/x/7")
    #expect(
      notes.all == [
        "option -1, now push", "option 1, now push", "will 2", "will 1 modal", "screen 7",
        "presenter 2", "presenter 1", "presents X21", "will_route X21", "observer", "load X21",
        "did_load X21", "will_appear X21", "did_appear X21", "did 2", "did 1 X21",
        "did_route X21", "completion",
      ])
    #expect(await bench.titles() == ["X21"])
  }

  @Test(arguments: Language.allCases)
  func `a screen by its URL is made without being shown`(language: Language) async throws {
    let notes = Notes()
    let bench = try await Self.bench(language, notes)
    let screen = try await bench.host.screen(for: "/x/7", in: bench.session)
    #expect(notes.all == ["will 2", "will 1 push", "screen 7", "presenter 2", "presenter 1"])
    #expect(screen.title == "X21")
    #expect(try await bench.state("navigation") == nil)
  }

  @Test(arguments: Language.allCases)
  func `asking whether a URL has a route calls nobody`(language: Language) async throws {
    let notes = Notes()
    let bench = try await Self.bench(language, notes)
    #expect(await bench.host.canRoute("/x/7"))
    #expect(await bench.host.canRoute("/y") == false)
    #expect(await bench.host.canRoute("/x/%zz") == false)
    #expect(notes.all == [])
    #expect(try await bench.state("navigation") == nil)
  }

  @Test(arguments: Language.allCases)
  func `a screen that is pushed by its URL is told of the routing, too`(
    language: Language
  ) async throws {
    let notes = Notes()
    let bench = try await Self.bench(language, notes)
    try await bench.dispatch("nav/push", ["screen": "/x/7"])
    #expect(
      notes.all == [
        "will 2", "will 1 push", "screen 7", "presenter 2", "presenter 1", "will_route X21",
        "observer", "load X21", "did_load X21", "will_appear X21", "did_appear X21", "did 2",
        "did 1 X21", "did_route X21", "completion",
      ])
  }

  @Test func `who declines lets the search go on, and handlers and screens compete alike`()
    async throws
  {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "a.lua": """
        return { routes = { ["/x/:id"] = { priority = 3, screen = function() print("a") end } } }
        """,
        "b.lua": """
        return { handlers = { ["/x/:id"] = { priority = 2, run = function(route)
          print("b " .. route.params.id)
          if route.params.id ~= "9" then return false end
        end } } }
        """,
        "c.lua": """
        return { routes = { ["/x/:id"] = function() print("c") return { title = "C" } end } }
        """,
        "d.lua": """
        return { routing_observers = { did = function(route, screen)
          print("did " .. route.module .. " " .. tostring(screen and screen.title))
        end } }
        """,
      ])
    try await bench.route("/x/1")
    #expect(notes.all == ["a", "b 1", "c", "did c C"])
    notes.clear()
    let before = await bench.canonicalState()
    try await bench.route("/x/9")
    #expect(notes.all == ["a", "b 9", "did b nil"])
    #expect(await bench.canonicalState() == before, "a handler shows nothing")
  }

  @Test func `in Swift handlers decline as well, and nil for a screen does`() async throws {
    let notes = Notes()
    let bench = try await Bench(adding: [
      {
        let pattern = try RoutePattern(parsing: "/x")
        return try Module("m") { module in
          module.routes = [
            Route(pattern, priority: 2) { _, _ in
              notes.add("handler")
              return .declined
            },
            Route(pattern, priority: 1) { _, _ -> Screen? in
              notes.add("screen")
              return nil
            },
          ]
        }
      }
    ])
    #expect(await bench.routingError(of: "/x")?.reason == .declined(["/x", "/x"]))
    #expect(notes.all == ["handler", "screen"])
  }

  @Test func `when all decline, unmatched handlers are asked in the order of names`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "a.lua": """
        return {
          routes = { ["/x"] = function() end },
          unmatched = function(route)
            print("a " .. route.url .. " " .. tostring(route.params.k))
            return false
          end,
        }
        """,
        "b.lua": "return { unmatched = function(route) print('b') return route.url ~= '/z' end }",
        "c.lua": "return { unmatched = function() print('c') return false end }",
      ])
    try await bench.route("/x", ["k": 1])
    try await bench.route("/y")
    #expect(notes.all == ["a /x 1", "b", "a /y nil", "b"])
    notes.clear()
    #expect(await bench.routingError(of: "/z")?.reason == .noRoute(nearest: "/x"))
    #expect(notes.all == ["a /z nil", "b", "c"])
    notes.clear()
    await #expect(throws: DispatchError.self) {
      try await bench.host.screen(for: "/y", in: bench.session)
    }
    #expect(await bench.host.canRoute("/y") == false)
    #expect(notes.all == [], "only a routing asks them")
  }

  @Test func `unmatched handlers redirect, with what they got`() async throws {
    let bench = try await Bench([
      "a.lua": """
      local moon = require "moonwire"
      return {
        unmatched = function(route)
          return moon.redirect("/lost", { from = route.url, k = route.params.k })
        end,
        routes = { ["/lost"] = function(route)
          return { title = route.params.from .. route.params.k .. " " .. route.redirected_from[1] }
        end },
      }
      """
    ])
    try await bench.route("/nowhere", ["k": "!"])
    #expect(await bench.titles() == ["/nowhere! /nowhere"])
  }

  @Test func `a presenter changes what is shown, and not whose and which screen it is`()
    async throws
  {
    let bench = try await Bench(
      [
        "app.lua": """
        return {
          routes = { ["/x"] = { kind = "card", screen = function()
            return { id = "mine", title = "X", props = { n = 1 } }
          end } },
        }
        """,
        "p.lua": """
        return { presenters = { priority = 1, run = function(screen)
          screen.id, screen.url, screen.module, screen.placeholder = "theirs", "/theirs", "p", true
          screen.title, screen.kind, screen.props.n = "Y", "other", 2
        end } }
        """,
      ],
      adding: [
        {
          try Module("q") { module in
            module.presenters = [
              Presenter { screen, _, _ in
                screen.id = "ours"
                screen.url = nil
                screen.owner = nil
                screen.isPlaceholder = true
                screen.body = ["text"]
              }
            ]
          }
        }
      ])
    try await bench.route("/x")
    let screen = try #require(await bench.topScreen())
    #expect(screen.id == "mine")
    #expect(screen.url == "/x")
    #expect(screen.owner?.module == "app")
    #expect(!screen.isPlaceholder)
    #expect(screen.title == "Y")
    #expect(screen.kind == "other")
    #expect(screen.props == ["n": 2])
    #expect(screen.body == ["text"])
  }

  @Test func `observers receive the screen as the presenter has shown it`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "m.lua": """
        local moon = require "moonwire"
        return {
          routes = { ["/x"] = { option = "own", screen = function() return { title = "x" } end } },
          routing_presenters = { own = function(screen)
            screen.title = "shown"
            return moon.nav.push(screen)
          end },
          routing_observers = { did = function(route, screen) print(screen.title) end },
        }
        """
      ])
    try await bench.route("/x")
    #expect(notes.all == ["shown"])
  }

  @Test func `screens that name no kind and no id get them of the route, one for each`()
    async throws
  {
    let bench = try await Bench([
      "app.lua": """
      local function screen() return {} end
      return { routes = {
        ["/a"] = screen, ["/b"] = { name = "bee", screen = screen },
        ["/c"] = { name = "sea", kind = "cee", screen = screen },
        ["/d"] = function() return { kind = "dee", id = "one" } end,
      } }
      """
    ])
    for url: Text in ["/a", "/a", "/b", "/c", "/d", "/a"] { try await bench.route(url) }
    #expect(
      await bench.screens().map { "\($0.kind)#\($0.id)" } == [
        "app#app", "app#app-2", "bee#bee", "cee#cee", "dee#one", "app#app-3",
      ])
  }
}
