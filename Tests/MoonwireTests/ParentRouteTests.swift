import Moonwire
import Testing

/// Parents below a screen in an empty stack, and screens that are shown once.
struct ParentRouteTests {
  private static let app = """
    local moon = require "moonwire"
    local function titled(route) return { title = route.url } end
    return moon.module {
      state = { locked = false },
      actions = { lock = "Locks", tabs = "Shows tabs" },
      reducers = { lock = function(state) state.locked = true end },
      map_navigation = {
        tabs = function()
          return moon.nav.set(moon.nav.tabs { moon.nav.stack {}, "/list" })
        end,
      },
      routes = {
        ["/list"] = titled,
        ["/list/:id<int>"] = { parent = "/list", screen = titled },
        ["/list/:id<int>/note/:note"] = { parent = "/list/:id", screen = titled },
        ["/edit/:id<int>"] = { parent = "/list/:id", option = moon.modal(), screen = titled },
        ["/root/:id<int>"] = { parent = "/list/:id", option = moon.root(), screen = titled },
        ["/swap/:id<int>"] = { parent = "/list/:id", option = moon.replace(), screen = titled },
        ["/a/:x"] = { parent = "/b/:x", screen = titled },
        ["/b/:x"] = { parent = "/a/:x", screen = titled },
        ["/below/secret"] = { parent = "/secret", screen = titled },
        ["/below/nothing"] = { parent = "/nothing", screen = titled },
        ["/below/broken"] = { parent = "/broken", screen = titled },
        ["/below/word/:x"] = { parent = "/list/:x<int>", screen = titled },
        ["/broken"] = { parent = "/list", screen = function() error("no", 0) end },
        ["/secret"] = titled,
        ["/compose"] = { option = moon.modal { once = true }, screen = function(route)
          return { title = "Compose " .. (route.params.text or "") }
        end },
        ["/page"] = { option = moon.push { once = true }, screen = titled },
      },
      routing_observers = {
        will = function(route, state)
          if route.url == "/secret" then return false, "it is secret" end
        end,
      },
    }
    """

  @Test(
    arguments: [
      ("/list", ["/list"]),
      ("/list/3", ["/list", "/list/3"]),
      ("/list/3/note/x%20y?z=1", ["/list", "/list/3", "/list/3/note/x%20y?z=1"]),
      ("/edit/4", ["/list", "/list/4", "/edit/4"]),
      ("/root/4", ["/root/4"]),
      ("/swap/4", ["/list", "/list/4", "/swap/4"]),
    ] as [(Text, [String])])
  func `below the first screen are its parents`(url: Text, titles: [String]) async throws {
    let bench = try await Bench(["app": Self.app].lua)
    try await bench.route(url)
    #expect(await bench.titles() == titles)
    for title in titles.dropLast().reversed() {
      try await bench.host.back(in: bench.session)
      #expect(await bench.topScreen()?.title.string == title)
    }
  }

  @Test func `where something is, nothing is put below`() async throws {
    let bench = try await Bench(["app": Self.app].lua)
    try await bench.route("/page")
    try await bench.route("/list/3/note/x")
    #expect(await bench.titles() == ["/page", "/list/3/note/x"])
  }

  @Test func `an empty tab counts as empty`() async throws {
    let bench = try await Bench(["app": Self.app].lua)
    try await bench.dispatch("app/tabs")
    try await bench.route("/list/3")
    #expect(await bench.titles() == ["/list", "/list/3", "/list"])
  }

  @Test func `parents in a circle are refused`() async throws {
    let bench = try await Bench(["app": Self.app].lua)
    let error = await bench.routingError(of: "/a/1")
    #expect(error?.reason == .parentLoop(["/a/1", "/b/1", "/a/1"]))
    #expect(error?.place == SourcePlace(file: "app.lua", line: 19))
  }

  @Test func `a chain of parents has an end`() async throws {
    let routes = (1...20).map { "['/p\($0)'] = { parent = '/p\($0 + 1)', screen = s }," }
    let bench = try await Bench([
      "m.lua": "local s = function() return {} end return { routes = { \(routes.joined()) } }"
    ])
    guard case .tooManyParents(let urls, 16)? = await bench.routingError(of: "/p1")?.reason else {
      Issue.record("it has an end")
      return
    }
    #expect(urls.count == 18)
    try await bench.route("/p5")
    #expect(await bench.screens().count == 16)
  }

  @Test(
    arguments: [
      ("/below/secret", "it is secret"), ("/below/nothing", "no pattern takes it"),
      ("/below/broken", "no"), ("/below/word/x", "'x' of /list/:x<int> must be of the type int"),
    ] as [(Text, String)])
  func `a parent that can't be made is told and left out`(
    url: Text, reason: String
  ) async throws {
    let bench = try await Bench(["app": Self.app].lua)
    let outcome = try await bench.route(url)
    #expect(await bench.titles() == [url.string])
    let told =
      outcome.failures.map { $0.error.description } + outcome.faults.map(\.description)
    #expect(told.count == 1)
    #expect(told.first?.contains(reason) ?? false, "\(told)")
  }

  @Test func `parents are observed and told of their lives as any screen`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "m.lua": """
        local function titled(route) return { title = route.url } end
        return {
          routes = { ['/a'] = titled, ['/a/:id'] = { parent = '/a', screen = titled } },
          routing_observers = {
            will = function(route) print('will ' .. route.url) end,
            did = function(route, screen) print('did ' .. screen.title) end,
          },
          lifecycle = {
            will_route = function(screen) print('will_route ' .. screen.title) end,
            did_appear = function(screen) print('did_appear ' .. screen.title) end,
          },
        }
        """
      ])
    try await bench.route("/a/1")
    #expect(
      notes.all == [
        "will /a/1", "will /a", "will_route /a", "will_route /a/1", "did_appear /a/1", "did /a",
        "did /a/1",
      ])
  }

  // MARK: Once

  @Test func `what is shown once is gone back to, and made again`() async throws {
    let bench = try await Bench(["app": Self.app].lua)
    try await bench.route("/list")
    try await bench.route("/compose", ["text": "a"])
    let first = try #require(await bench.topScreen())
    try await bench.route("/compose", ["text": "b"])
    #expect(await bench.titles() == ["/list", "Compose b"])
    #expect(await bench.topScreen()?.id == first.id)
    // Other URLs are others.
    try await bench.route("/compose?x=1")
    #expect(await bench.titles() == ["/list", "Compose b", "Compose "])
  }

  @Test func `what covers a screen that is shown once goes`() async throws {
    let bench = try await Bench(["app": Self.app].lua)
    try await bench.route("/page")
    try await bench.route("/list")
    try await bench.route("/compose")
    try await bench.route("/page")
    #expect(await bench.titles() == ["/page"])
  }

  // MARK: Tables

  @Test(
    arguments: [
      ("'/a'", "['/x']", "nothing"), ("'/a/:id'", "['/x/:id']", "nothing"),
      ("5", "['/x']", "must be a string"),
      ("'/a/:'", "['/x']", "its parameter ::"),
      ("'/a(/:id)'", "['/x/:id']", "more than one URL"), ("'/a/*'", "['/x']", "more than one URL"),
      ("'/a/:ip'", "['/x/:id']", ":ip isn't one of the route's: :id"),
      ("'/a/:id'", "['/x(/:id)']", ":id isn't one of the route's, which has none"),
      ("'/x'", "['/x']", "it is the route itself"),
      ("'/a/:id<itn>'", "['/x/:id']", "can't be a parent"),
    ])
  func `what can be a parent`(parent: String, route: String, message: String) async throws {
    let bench = try await Bench([
      "m.lua": """
      local screen = function() return {} end
      return { routes = {
        \(route) = {
          parent = \(parent), screen = screen },
      } }
      """
    ])
    let problems = try await bench.info("m")?.problems ?? []
    guard message != "nothing" else {
      #expect(problems == [])
      return
    }
    #expect(problems.count == 1)
    let told = problems.first?.description ?? ""
    #expect(told.hasPrefix("m.lua:") && told.contains(message), "\(told)")
    #expect((problems.first?.place.line ?? 0) >= 3)
  }
}

extension [String: String] {
  /// The contents by file.
  fileprivate var lua: [String: String] {
    Dictionary(uniqueKeysWithValues: map { ("\($0.key).lua", $0.value) })
  }
}
