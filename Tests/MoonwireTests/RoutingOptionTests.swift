import MoonTestSupport
import Moonwire
import Testing

/// The fields of routing options, and the errors for invalid ones.
struct RoutingOptionTests {
  static let kinds = ["push", "modal", "show", "root", "replace", "back_to", "none"]

  @Test(arguments: kinds)
  func `every option has the common fields`(kind: String) async throws {
    let option = RoutingOption(
      Text(kind),
      [
        "animated": false, "window": "main", "style": "sheet", "transition": "fade",
        "duration": 0.5,
      ])
    #expect(try RoutingOption(reading: option.value) == option)
    #expect(try RoutingOption(reading: .string(Text(kind))) == RoutingOption(Text(kind)))
  }

  static let wrong: [(fields: String, message: String)] = [
    ("stlye = 'x'", "there is no field 'stlye'; did you mean 'style'?"),
    (
      "zzzzzz = 'x'",
      "has no field 'zzzzzz': it takes animated, duration, in_tab, over_modal, style, "
        + "transition and window"
    ),
    ("style = 5", "'style' must be string, not an integer"),
    ("animated = 'yes'", "'animated' must be boolean, not a string"),
    ("transition = {}", "'transition' must be string, not a map"),
    ("window = 1", "'window' must be string, not an integer"),
    ("duration = 'long'", "'duration' must be number, not a string"),
    ("in_tab = 'other'", "'in_tab' is owner or selected, not 'other'"),
    ("over_modal = 'x'", "'over_modal' is dismiss, inside or refuse, not 'x'"),
    ("duration = -1", "'duration' is a number of seconds, 0 or more, not -1"),
    ("duration = 1/0", "'duration' is a number of seconds"),
    ("stack = true", "has no field 'stack'"), ("once = true", "has no field 'once'"),
  ]

  @Test(arguments: wrong)
  func `a wrong field is told with the line that wrote it`(
    fields: String, message: String
  ) async throws {
    // Made by the constructor, and as a table.
    for option in ["moon.root { \(fields) }", "{ option = 'root', \(fields) }"] {
      let bench = try await Bench([
        "m.lua": """
        local moon = require 'moonwire'
        return { routes = { ["/x"] = { option = \(option), screen = print } } }
        """
      ])
      let problems = try await bench.info("m")?.problems ?? []
      #expect(problems.count == 1)
      let told = problems.first?.description ?? ""
      #expect(told.contains(message), "\(told)")
      #expect(problems.first?.place == SourcePlace(file: "m.lua", line: 2), "\(told)")
    }
  }

  private func expect(
    _ error: RoutingError?, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let told = error.map { $0.reason.description } ?? ""
    #expect(told.contains(message), "\(told)", sourceLocation: sourceLocation)
  }

  @Test func `options are checked wherever they come from`() async throws {
    let source = """
      local moon = require 'moonwire'
      local screen = function() return {} end
      return {
        routes = { ['/x'] = screen, ['/y'] = screen, ['/z'] = screen },
        routing_options = { route = '/y', run = function()
          return { option = 'push', stlye = 'x' }
        end },
        routing_observers = { route = '/z', will = function()
          return { redirect = '/x', option = { option = 'push', stlye = 'x' } }
        end },
      }
      """
    let bench = try await Bench(["m.lua": source])
    let passed = await bench.routingError(of: "/x", Map(), RoutingOption("push", ["stlye": "x"]))
    expect(passed, "did you mean 'style'?")
    for url in ["/y", "/z"] as [Text] {
      let error = await bench.routingError(of: url)
      expect(error, "did you mean 'style'?")
    }
  }

  @Test func `an option of a module's own has what fields it likes besides`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require 'moonwire'
      return {
        routes = { ['/x'] = { option = moon.option('drawer', { side = 'left', style = 'wide' }),
          screen = function() return {} end } },
        routing_presenters = { drawer = function(screen, option)
          screen.title = option.side
          return moon.nav.push(screen)
        end },
      }
      """
    ])
    try await bench.route("/x")
    #expect(await bench.titles() == ["left"])
    #expect(await bench.topScreen()?.presentation == ["style": "wide"])
    let error = await bench.routingError(of: "/x", Map(), RoutingOption("drawer", ["style": 5]))
    expect(error, "'style' must be string")
  }

  @Test func `a screen keeps how it wants to be presented, across a save and a file`() async throws
  {
    let source = """
      local moon = require 'moonwire'
      return { routes = { ['/x'] = {
        option = moon.modal { style = 'sheet', transition = 'fade', duration = 1, animated = false },
        screen = function() return { title = 'one' } end } } }
      """
    let bench = try await Bench(["m.lua": source])
    try await bench.route("/x")
    let presentation: Map = ["style": "sheet", "transition": "fade", "duration": 1]
    #expect(await bench.topScreen()?.presentation == presentation)
    try bench.folder.save("m.lua", source.replacing("'one'", with: "'two'"))
    try await bench.host.load()
    #expect(await bench.topScreen()?.title == "two")
    #expect(await bench.topScreen()?.presentation == presentation)
    let tree = try #require(await bench.host.navigationTree(of: bench.session))
    #expect(try NavigationTree(tree.value) == tree)
  }

  private static let tabs = """
    local moon = require "moonwire"
    local function screen(route) return { title = route.url } end
    local function way(option, fields) return { option = moon[option](fields), screen = screen } end
    return {
      actions = { set = {} },
      map_navigation = { set = function()
        return moon.nav.set(moon.nav.tabs {
          moon.nav.stack { "/first", id = "one" }, moon.nav.stack { "/news", id = "two" } })
      end },
      routes = {
        ["/first"] = screen,
        ["/modal"] = { option = moon.modal { stack = true }, screen = screen },
        ["/own"] = way("push", { in_tab = "owner" }),
        ["/dismiss"] = way("push", { over_modal = "dismiss" }),
        ["/inside"] = way("push", { in_tab = "owner", over_modal = "inside" }),
        ["/plain"] = screen,
        ["/selected"] = way("push", { in_tab = "selected" }),
        ["/none"] = way("none"),
        ["/refuse"] = way("push", { in_tab = "owner", over_modal = "refuse" }),
      },
    }
    """

  @Test(
    arguments: [
      (["/own"], "/own 1"), (["/own", "/own"], "/own 1"), (["/modal", "/own"], "/own 1"),
      (["/modal", "/dismiss"], "/dismiss 2"), (["/dismiss"], "/dismiss 2"),
      (["/modal", "/inside"], "/inside 2"), (["/inside"], "/inside 1"), (["/refuse"], "/refuse 1"),
    ] as [([Text], String)])
  func `a route says what happens in another tab, and over a modal screen`(
    urls: [Text], shown: String
  ) async throws {
    let bench = try await Bench([
      "m.lua": Self.tabs,
      "other.lua": "return { routes = { ['/news'] = function() return { title = 'news' } end } }",
    ])
    try await bench.dispatch("m/set")
    try await bench.dispatch("nav/select_tab", ["id": "two"])
    for url in urls { try await bench.route(url) }
    let tree = try #require(await bench.host.navigationTree(of: bench.session))
    let selected = (tree.windows[0].root?.shownIndex ?? -1) + 1
    #expect("\(tree.topScreen?.title ?? "-") \(selected)" == shown)
  }

  @Test(
    arguments: [
      (["/plain"], "/plain 1"), (["/modal", "/plain"], "/plain 1"), (["/selected"], "/selected 2"),
      (["/modal", "/inside"], "/inside 1"), (["/modal", "/none"], "/modal 1"),
    ] as [([Text], String)])
  func `a window says it for all routes that don't`(
    urls: [Text], shown: String
  ) async throws {
    let bench = try await Bench([
      "a.lua": """
      return {
        windows = { main = { in_tab = 'owner', over_modal = 'dismiss' } },
        routes = { ['/news'] = function() return { title = 'news' } end } }
      """,
      "b.lua": "return { windows = { main = { over_modal = 'refuse' } } }", "m.lua": Self.tabs,
    ])
    try await bench.dispatch("m/set")
    try await bench.dispatch("nav/select_tab", ["id": "two"])
    for url in urls { try await bench.route(url) }
    let tree = try #require(await bench.host.navigationTree(of: bench.session))
    let selected = (tree.windows[0].root?.shownIndex ?? -1) + 1
    #expect("\(tree.topScreen?.title ?? "-") \(selected)" == shown)
  }

  @Test(arguments: [
    (
      "{ in_tab = 'own' }", "windows.main.in_tab",
      #"is 'own', and must be "owner" or "selected""#
    ),
    ("{ over_modl = 'x' }", "windows.main.over_modl", "did you mean over_modal?"),
    ("5", "windows.main", "must be a table"),
  ])
  func `a window is set with known words only`(
    fields: String, key: String, problem: String
  ) async throws {
    let bench = try await Bench(["m.lua": "return { windows = { main = \(fields) } }"])
    let info = try #require(try await bench.info("m"))
    let texts = info.problems.map { "\($0) \($0.detail ?? "")" }
    #expect(texts.contains { $0.contains(key) && $0.contains(problem) }, "\(texts)")
  }

  @Test func `a route that refuses to be shown over a modal screen is an error`() async throws {
    let bench = try await Bench(["m.lua": Self.tabs])
    try await bench.route("/modal")
    let error = await bench.routingError(of: "/refuse")
    #expect(error?.reason == .covered(by: "/modal"))
  }
}
