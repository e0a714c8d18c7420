import Moonwire
import Testing

/// Screens that are connected with the state of several modules.
@Suite(.timeLimit(.minutes(2))) struct ConnectionTests {
  private static let files = [
    "cart.lua": """
    return { state = { items = 0, price = 3 },
      reducers = { add = function(s, p) s.items = s.items + (p.by or 1) end,
        price = function(s, p) s.price = p.price end } }
    """,
    "account.lua": """
    return { state = { name = "Ada", visits = 0 },
      reducers = { rename = function(s, p) s.name = p.name end,
        visit = function(s) s.visits = s.visits + 1 end } }
    """,
    "other.lua": """
    return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end },
      routes = { ["/other"] = function() return { title = "Other" } end } }
    """,
  ]

  private static let checkout = """
    local moon = require "moonwire"
    local ui = moon.ui
    return {
      state = { bought = 0 },
      reducers = { buy = function(s, p) s.bought = s.bought + p.count end },
      routes = { ["/checkout"] = function() return { title = "Pay", props = { own = true } } end },
      connect = {
        from = { "cart", "account", price = "cart.price" },
        props = function(from, screen)
          print("props", screen.title)
          return { line = from.account.name .. " pays " .. from.cart.items * from.price }
        end,
        actions = function(from)
          return { buy = { type = "buy", payload = { count = from.cart.items } },
            more = "cart/add" }
        end,
      },
      views = {
        checkout = function(screen)
          local props = screen.props
          return { ui.text(props.line), ui.button("Buy", props.actions.buy),
            ui.button("More", props.actions.more, { by = 2 }) }
        end,
      },
    }
    """

  private func bench(_ text: String = checkout, _ notes: Notes = Notes()) async throws -> Bench {
    var files = Self.files
    files["checkout.lua"] = text
    return try await Bench.noting(notes, files)
  }

  private func lines(_ bench: Bench) async throws -> [String] {
    let shown = try #require(await bench.host.shownScreen(in: bench.session))
    return try #require(shown.card).lines(width: 60).map(\.text).filter { !$0.isEmpty }
  }

  @Test func `props follow the slices of several modules, and actions are bound to buttons`()
    async throws
  {
    let bench = try await bench()
    try await bench.route("/checkout")
    #expect(try await lines(bench).first == "Ada pays 0")
    try await bench.dispatch("cart/add", ["by": 2])
    #expect(try await lines(bench).first == "Ada pays 6")
    try await bench.dispatch("account/rename", ["name": "Eva"])
    #expect(try await lines(bench).first == "Eva pays 6")
    try await bench.host.use(.name("More"), in: bench.session)
    #expect(try await lines(bench).first == "Eva pays 12")
    try await bench.host.use(.name("Buy"), in: bench.session)
    #expect(try await bench.state("checkout.bought") == 4)
  }

  @Test func `only changes of connected slices, while the screen is on top, call the functions`()
    async throws
  {
    let notes = Notes()
    let bench = try await bench(Self.checkout, notes)
    try await bench.dispatch("cart/add")
    #expect(notes.all == [])
    try await bench.route("/checkout")
    try await bench.dispatch("other/add")
    try await bench.dispatch("checkout/buy", ["count": 1])
    #expect(notes.all == ["props\tPay"])
    try await bench.dispatch("account/visit")
    #expect(notes.all.count == 2)
    try await bench.route("/other")
    try await bench.dispatch("cart/add")
    #expect(notes.all.count == 2)
    try await bench.dispatch("nav/back")
    #expect(notes.all.count == 3)
    #expect(try await lines(bench).first == "Ada pays 6")
  }

  @Test func `the screen's own props stay, and other screens are left alone`() async throws {
    let bench = try await bench()
    try await bench.route("/checkout")
    #expect(await bench.host.navigationTree(of: bench.session)?.topScreen?.props["own"] == true)
    try await bench.route("/other")
    #expect(await bench.host.navigationTree(of: bench.session)?.topScreen?.props == [:])
  }

  @Test func `another module's screens are connected by their kind`() async throws {
    let bench = try await bench(
      """
      return { connect = { { from = { "cart" }, on = "other/*", props = function(from)
        return { items = from.cart.items } end } } }
      """)
    try await bench.route("/other")
    try await bench.dispatch("cart/add")
    #expect(await bench.host.navigationTree(of: bench.session)?.topScreen?.props == ["items": 1])
  }

  @Test func `any number of modules can be connected`() async throws {
    var files = Self.files
    let names = (1...30).map { "m\($0)" }
    for name in names {
      files["\(name).lua"] = """
        return { state = { n = 1 }, reducers = { add = function(s) s.n = s.n + 1 end } }
        """
    }
    files["sum.lua"] = """
      return { routes = { ["/sum"] = function() return {} end },
        connect = { from = { \(names.map { "\"\($0)\"" }.joined(separator: ", ")) },
          props = function(from)
            local sum = 0
            for _, slice in pairs(from) do sum = sum + slice.n end
            return { sum = sum }
          end } }
      """
    let bench = try await Bench(files)
    try await bench.route("/sum")
    try await bench.dispatch("m7/add")
    #expect(await bench.host.navigationTree(of: bench.session)?.topScreen?.props["sum"] == 31)
  }

  @Test func `a module in Swift connects its screens, too`() async throws {
    let bench = try await Bench(
      Self.files,
      adding: [
        {
          var module = Module(name: try #require(ModuleName("board")))
          module.routes = [
            Route(try RoutePattern(parsing: "/board"), screen: { _, _ in Screen(id: "") })
          ]
          let path = try Path(parsing: "cart.items")
          module.presenters = [
            Presenter(
              Connection(
                of: .module("board"), from: StateSelection([.init("items", path)]),
                props: { selected, _, _ in selected }))
          ]
          return module
        }
      ])
    try await bench.route("/board")
    try await bench.dispatch("cart/add")
    #expect(await bench.host.navigationTree(of: bench.session)?.topScreen?.props["items"] == 1)
  }

  @Test(arguments: [
    ("props = function() return 5 end", "props of connect returns a table by name"),
    ("props = function() return { 1 } end", "props of connect returns a table by name"),
    ("actions = function() return { buy = 5 } end", "actions.buy of connect is no action"),
    ("actions = { buy = { tpe = \"x\" } }", "actions.buy of connect is no action"),
    ("props = function(from) from.cart.items = 1 end", "only be changed in a reducer"),
  ])
  func `a wrong answer fails the routing, and says what is wrong`(
    part: String, message: String
  ) async throws {
    let bench = try await bench(
      """
      return { routes = { ["/checkout"] = function() return {} end },
        connect = { from = { "cart" }, \(part) } }
      """)
    do throws(DispatchError) {
      try await bench.host.route("/checkout", in: bench.session)
      Issue.record("it was shown")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  typealias Reason = ModuleProblem.Reason

  static let problems: [(text: String, line: Int, reason: Reason)] = [
    (
      "return {\n  connect = 5,\n}", 2,
      .wrongKind(key: "connect", expected: "a table", found: "a number")
    ),
    (
      "return {\n  connect = { from = { 'cart' } },\n}", 2,
      .wrongKind(key: "connect", expected: "props or actions", found: "neither")
    ),
    (
      "return {\n  connect = { props = function() end },\n}", 2,
      .wrongKind(key: "connect.from", expected: "a list of modules", found: "nothing")
    ),
    (
      "return {\n  connect = {\n    from = { 5 },\n    props = function() end },\n}", 3,
      .wrongKind(key: "connect.from[1]", expected: "a string", found: "a number")
    ),
    (
      "return {\n  connect = {\n    from = { 'a..b' },\n    props = function() end },\n}", 3,
      .invalidPath(key: "connect.from[1]", text: "a..b")
    ),
    (
      "return {\n  connect = { from = { 'cart' },\n    prop = function() end },\n}", 3,
      .unknownKey("connect.prop", nearest: "props")
    ),
    (
      "return {\n  connect = { from = { 'cart' },\n    props = 5 },\n}", 3,
      .wrongKind(key: "connect.props", expected: "a function", found: "a number")
    ),
    (
      "return {\n  connect = { from = { 'cart' },\n    actions = 5 },\n}", 3,
      .wrongKind(
        key: "connect.actions", expected: "a function or a table of actions", found: "a number")
    ),
  ]

  @Test(arguments: problems)
  func `a problem names the line and the field`(
    text: String, line: Int, reason: Reason
  ) async throws {
    let bench = try await bench(text)
    let info = try #require(await bench.host.moduleInfos().first { $0.name.text == "checkout" })
    #expect(
      info.problems.contains { $0.reason == reason && $0.place.line == line }, "\(info.problems)")
  }

  @Test func `a module that doesn't exist is a dead name`() async throws {
    let bench = try await bench(
      "return { connect = { from = { \"crat\" }, props = function() return {} end } }")
    let dead = await bench.host.deadNames()
    #expect(dead.map(\.reason) == [.noModule("crat")])
    #expect(dead.first?.nearest == "cart")
  }
}
