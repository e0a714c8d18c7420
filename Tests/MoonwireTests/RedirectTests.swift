import Moonwire
import Testing

/// Vetoes and redirects, and their limits.
struct RedirectTests {
  private static let screens = """
    local function screen(route)
      return { title = route.pattern, props = { from = route.redirected_from } }
    end
    return { routes = { ["/home"] = screen, ["/login"] = screen, ["/hop/:n<int>"] = screen } }
    """

  @Test func `a veto says who, where and why, and those behind aren't asked`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "app.lua": Self.screens,
        "guard.lua": """
        return { routing_observers = {
          { priority = 2, route = "/home",
            will = function(route)
              return false, "the door is shut"
            end },
          { priority = 1, will = function() print("later") end, did = function() print("did") end },
        } }
        """,
      ])
    #expect(
      await bench.routingError(of: "/home")?.summary
        == "/home | /home | app | app.lua:4 | vetoed by guard at guard.lua:3: the door is shut")
    #expect(notes.all == [])
    try await bench.route("/login")
    #expect(notes.all == ["later", "did"])
  }

  @Test func `in Swift a veto says the same`() async throws {
    let bench = try await Bench(adding: [
      { try .routing("app", "/home") },
      {
        try Module("guard") { module in
          module.routingObservers = [
            RoutingObserver(will: { _, _ in .veto(reason: "shut") })
          ]
        }
      },
    ])
    #expect(
      await bench.routingError(of: "/home")?.summary
        == "/home | /home | app | - | vetoed by guard at -: shut")
  }

  @Test func `a redirect starts over with what it passes and where it came from`() async throws {
    let bench = try await Bench([
      "app.lua": Self.screens,
      "guard.lua": """
      local moon = require "moonwire"
      return { routing_observers = { route = "/home", will = function(route)
        return moon.redirect("/login?q=1", { back = route.url, n = 3 })
      end } }
      """,
    ])
    try await bench.route("/home?lost=1", ["passed": true, "n": 2])
    let screen = try #require(await bench.topScreen())
    #expect(screen.title == "/login")
    #expect(screen.url == "/login?q=1")
    #expect(screen.props["from"] == ["/home?lost=1"])
    #expect(screen.parameters == ["back": "/home?lost=1", "n": 3, "passed": true, "q": "1"])
  }

  @Test func `handlers redirect`() async throws {
    let bench = try await Bench([
      "app.lua": Self.screens,
      "old.lua": """
      local moon = require "moonwire"
      return { handlers = {
        ["/old/:n"] = function(route) return moon.redirect("/hop/" .. route.params.n) end,
      } }
      """,
    ])
    try await bench.route("/old/3")
    #expect(await bench.topScreen()?.parameters == ["n": 3])
    #expect(await bench.topScreen()?.props["from"] == ["/old/3"])
  }

  private static let hopping = """
    local moon = require "moonwire"
    return { handlers = { ["/hop/:n<int>"] = {
      priority = 1,
      run = function(route)
        if route.params.n == 0 then return false end
        return moon.redirect("/hop/" .. (route.params.n - 1))
      end,
    } } }
    """

  @Test func `eight hops are followed`() async throws {
    let bench = try await Bench(["app.lua": Self.screens, "hop.lua": Self.hopping])
    try await bench.route("/hop/8")
    #expect(
      await bench.topScreen()?.props["from"]
        == .list(List((1...8).reversed().map { .string(Text("/hop/\($0)")) })))
  }

  @Test func `nine hops are too many, and all are named`() async throws {
    let bench = try await Bench(["app.lua": Self.screens, "hop.lua": Self.hopping])
    let error = try #require(await bench.routingError(of: "/hop/9"))
    let urls = (0...9).reversed().map { Text("/hop/\($0)") }
    #expect(error.reason == .tooManyRedirects(urls, max: 8))
    #expect(error.url == "/hop/0")
  }

  @Test func `a circle is told in full, whoever redirects`() async throws {
    let bench = try await Bench([
      "app.lua": Self.screens,
      "guard.lua": """
      local moon = require "moonwire"
      return {
        handlers = { ["/a"] = function() return moon.redirect("/home") end },
        routing_observers = {
          route = "/home", will = function() return moon.redirect("/nowhere") end,
        },
        unmatched = function() return moon.redirect("/a") end,
      }
      """,
    ])
    #expect(
      await bench.routingError(of: "/a")?.reason
        == .redirectLoop(["/a", "/home", "/nowhere", "/a"]))
    #expect(
      await bench.routingError(of: "/home")?.reason
        == .redirectLoop(["/home", "/nowhere", "/a", "/home"]))
  }

  @Test func `who redirects to itself is stopped at once`() async throws {
    let notes = Notes()
    let bench = try await Bench(adding: [
      { try .routing("app", "/home") },
      {
        try Module("guard") { module in
          module.routingObservers = [
            RoutingObserver(will: { route, _ in
              notes.add("asked")
              return .redirect(Redirect(to: route.url, passing: ["again": true]))
            })
          ]
        }
      },
    ])
    #expect(await bench.routingError(of: "/home")?.reason == .redirectLoop(["/home", "/home"]))
    #expect(notes.all == ["asked"])
  }

  @Test func `screens by their URL are redirected and vetoed as well`() async throws {
    let bench = try await Bench([
      "app.lua": Self.screens,
      "guard.lua": """
      local moon = require "moonwire"
      return { routing_observers = {
        { route = "/home", will = function() return moon.redirect("/login") end },
        { route = "/hop/:n<int>", will = function() return false end },
      } }
      """,
    ])
    let screen = try await bench.host.screen(for: "/home", in: bench.session)
    #expect(screen.url == "/login")
    try await bench.dispatch("nav/push", ["screen": "/home"])
    #expect(await bench.titles() == ["/login"])
    #expect(
      await bench.failure(of: "nav/push", ["screen": "/hop/1"])?.summary.contains("let it pass")
        == true)
  }

  @Test func `a redirect keeps passed parameters below its own`() async throws {
    let bench = try await Bench([
      "app.lua": """
      local function screen(route) return { title = "x", props = route.params } end
      return { routes = { ["/home"] = screen, ["/login"] = screen } }
      """,
      "guard.lua": """
      return { routing_observers = { route = "/home", will = function()
        return require("moonwire").redirect("/login", { b = 20, c = 30 })
      end } }
      """,
    ])
    try await bench.dispatch("nav/route", ["url": "/home", "params": ["a": 1, "b": 2]])
    #expect(await bench.screens().last?.props == ["a": 1, "b": 20, "c": 30])
  }

  @Test(arguments: [
    ("moon.redirect('/login')", 1), ("moon.redirect('/login', nil, moon.push())", 2),
    ("moon.redirect('/login', nil, 'push')", 2),
  ])
  func `the new route's own option counts, unless the redirect names one`(
    redirect: String, count: Int
  ) async throws {
    let bench = try await Bench([
      "app.lua": """
      local moon = require "moonwire"
      local function screen() return {} end
      return { routes = { ["/first"] = screen, ["/home"] = screen,
        ["/login"] = { screen = screen, option = moon.root() } } }
      """,
      "guard.lua": """
      local moon = require "moonwire"
      return { routing_observers = { route = "/home", will = function()
        return \(redirect)
      end } }
      """,
    ])
    try await bench.route("/first")
    try await bench.dispatch("nav/route", ["url": "/home", "option": ["option": "modal"]])
    #expect(await bench.screens().count == count)
  }

  @Test func `a redirect's option that is none is refused`() async throws {
    let bench = try await Bench([
      "app.lua": Self.screens,
      "guard.lua": """
      return { routing_observers = { route = "/home", will = function()
        return { redirect = "/login", option = 5 }
      end } }
      """,
    ])
    let summary = await bench.routingError(of: "/home")?.summary
    #expect(summary?.contains("made by moon.push() and the like, not an integer") == true)
  }
}
