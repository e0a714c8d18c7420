import Moonwire
import Testing

/// Modules that follow and enrich the screens of others.
struct ScreenListenersTests {
  private static let shop = """
    return { routes = {
      ['/list'] = function() return { kind = 'list', title = 'List' } end,
      ['/item'] = function() return { kind = 'item', title = 'Item' } end,
    } }
    """
  private static let desk = """
    return { routes = { ['/desk'] = function() return { title = 'Desk' } end } }
    """

  private func bench(_ watcher: String, _ notes: Notes = Notes()) async throws -> Bench {
    try await Bench.noting(
      notes, ["shop.lua": Self.shop, "desk.lua": Self.desk, "watch.lua": watcher])
  }

  static let patterns: [(pattern: String, titles: [String])] = [
    ("*", ["List", "Item", "Desk", "Own"]), ("shop/*", ["List", "Item"]), ("shop/item", ["Item"]),
    ("desk/*", ["Desk"]), ("desk/desk", ["Desk"]), ("own", ["Own"]), ("watch/own", ["Own"]),
    ("watch/*", ["Own"]), ("nobody/*", []), ("shop/desk", []),
  ]
  private static let urls: [Text] = ["/list", "/item", "/desk", "/own"]

  @Test(arguments: patterns)
  func `listeners are called for the screens they name`(
    pattern: String, titles: [String]
  ) async throws {
    let notes = Notes()
    let bench = try await bench(
      """
      return {
        routes = { ['/own'] = function() return { kind = 'own', title = 'Own' } end },
        lifecycle = { on = '\(pattern)', did_appear = function(screen, event)
          print(screen.title) assert(event.stage == 'did_appear')
        end },
      }
      """, notes)
    for url in Self.urls { try await bench.route(url) }
    #expect(notes.all == titles)
  }

  @Test(arguments: patterns)
  func `presenters enrich the screens they name`(pattern: String, titles: [String]) async throws {
    let bench = try await bench(
      """
      return {
        routes = { ['/own'] = function() return { kind = 'own', title = 'Own' } end },
        presenters = { on = '\(pattern)', run = function(screen) screen.title = 'new' end },
      }
      """)
    for url in Self.urls { try await bench.route(url) }
    #expect(await bench.titles().count { $0 == "new" } == titles.count)
    #expect(titles.allSatisfy { ["List", "Item", "Desk", "Own"].contains($0) })
  }

  @Test func `a presenter may name both a route and screens`() async throws {
    let bench = try await bench(
      """
      return { presenters = {
        { route = '/list', on = 'shop/item', run = function(screen) screen.title = 'never' end },
        { route = '/list', on = 'shop/list', run = function(screen) screen.title = 'both' end },
      } }
      """)
    for url in Self.urls.prefix(2) { try await bench.route(url) }
    #expect(await bench.titles() == ["both", "Item"])
  }

  @Test func `listeners come by priority, then in the order of modules`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "b.lua": """
        return {
          routes = { ['/b'] = function() return {} end },
          lifecycle = { did_appear = function() print 'b' end },
        }
        """,
        "a.lua": "return { lifecycle = { on = '*', did_appear = function() print 'a' end } }",
        "c.lua": """
        return { lifecycle = {
          { on = 'b/*', priority = 1, did_appear = function() print 'c 1' end },
          { on = '*', priority = -1, did_appear = function() print 'c -1' end },
          { on = '*', priority = 2, did_appear = function() print 'c 2' end },
        } }
        """,
      ])
    try await bench.route("/b")
    #expect(notes.all == ["c 2", "c 1", "a", "b", "c -1"])
  }

  @Test func `a listener that fails costs nobody else anything`() async throws {
    let notes = Notes()
    let bench = try await bench(
      """
      return { lifecycle = {
        { on = '*', priority = 1, did_appear = function() error('no', 0) end },
        { on = '*', did_appear = function(screen) print(screen.title) end },
      } }
      """, notes)
    let outcome = try await bench.route("/list")
    #expect(outcome.faults.map(\.module) == ["watch"])
    #expect(notes.all == ["List"])
  }

  @Test(
    arguments: [
      ("lifecycle = { on = '', did_appear = print }", "names no screens"),
      ("lifecycle = { on = 'a/', did_appear = print }", "names no screens"),
      ("lifecycle = { on = '/a', did_appear = print }", "names no screens"),
      ("lifecycle = { on = 'a/b*', did_appear = print }", "names no screens"),
      ("lifecycle = { on = '**', did_appear = print }", "names no screens"),
      ("lifecycle = { on = '*/a', did_appear = print }", "names no screens"),
      ("lifecycle = { on = 5, did_appear = print }", "lifecycle.on"),
      ("lifecycle = { { on = '*', did_apear = print } }", "did_appear"),
      ("lifecycle = { { on = '*', priority = 'high', did_appear = print } }", "priority"),
      ("lifecycle = { did_appear = 5 }", "lifecycle.did_appear"),
      ("lifecycle = print", "lifecycle"),
      ("presenters = { on = 'a/', run = print }", "names no screens"),
      ("routing_options = { on = '*', run = print }", "routing_options.on"),
    ])
  func `what names no screens is a problem`(entry: String, named: String) async throws {
    let bench = try await Bench(["m.lua": "return {\n  \(entry),\n}"])
    let problems = try await bench.info("m")?.problems ?? []
    #expect(problems.count == 1)
    #expect(problems.first?.place == SourcePlace(file: "m.lua", line: 2))
    #expect(problems.first?.description.contains(named) ?? false, "\(problems)")
  }

  // MARK: Routings that fail

  @Test func `who observes routings is told of those that fail`() async throws {
    let notes = Notes()
    let bench = try await bench(
      """
      return {
        routes = { ['/broken'] = function() error('oops', 0) end,
          ['/no'] = function() end },
        routing_observers = {
          { failed = function(url, error)
            print(url .. ' ' .. error.reason .. ' ' .. (error.pattern or '-'))
          end },
          { route = '/broken', failed = function(url, error)
            print(error.message .. ' ' .. error.file .. ':' .. error.line)
          end },
          { will = function(route) if route.url == '/item' then return false, 'closed' end end },
        },
      }
      """, notes)
    #expect(await bench.routingError(of: "/nothing") != nil)
    #expect(await bench.routingError(of: "/item") != nil)
    #expect(await bench.routingError(of: "/no") != nil)
    #expect(await bench.routingError(of: "/broken") != nil)
    #expect(await bench.failure(of: "nav/push", ["screen": "/gone"]) != nil)
    #expect(
      notes.all == [
        "/nothing no_route -", "/item vetoed /item", "/no declined -", "/broken fault /broken",
        "/broken wasn't routed: watch.lua:2: route /broken of module watch failed: oops "
          + "(pattern /broken of module watch) watch.lua:2",
        "/gone no_route -",
      ])
  }

  @Test func `what follows from a failed routing can be a routing`() async throws {
    let bench = try await bench(
      """
      return { routing_observers = { failed = function(url, error, state, self)
        if error.reason == 'no_route' then self.route('/list') end
      end } }
      """)
    #expect(await bench.failure(of: "nav/route", ["url": "/nothing"]) != nil)
    #expect(await bench.titles() == ["List"])
  }

  @Test func `a failing routing that leads to another forever comes to an end`() async throws {
    let bench = try await bench(
      """
      return { routing_observers = { failed = function(url, error, state, self)
        self.route(url .. 'x')
      end } }
      """)
    #expect(await bench.failure(of: "nav/route", ["url": "/nothing"]) != nil)
    #expect(await bench.history().count < 100)
  }

  // MARK: The screen on top

  @Test func `a module sees the screen on top`() async throws {
    let notes = Notes()
    let bench = try await bench(
      """
      local function show(action, state, self)
        local top = self.top(action.payload and action.payload.window)
        print(top and top.title .. ' ' .. top.url or 'none')
      end
      return { actions = { look = { window = 'string?' } }, map_navigation = { look = show },
        reducers = { look = function() end } }
      """, notes)
    try await bench.dispatch("watch/look")
    try await bench.route("/item")
    try await bench.dispatch("watch/look")
    try await bench.dispatch("watch/look", ["window": "main"])
    let outcome = try await bench.dispatch("watch/look", ["window": "side"])
    #expect(notes.all == ["none", "Item /item", "Item /item"])
    #expect("\(outcome.failures.map(\.error)) \(outcome.faults)".contains("no window 'side'"))
  }
}
