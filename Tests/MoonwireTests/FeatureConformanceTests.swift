import MoonTestSupport
import Moonwire
import Testing

/// The behaviour of the ancestors' features, modules and generated code, and ours.
@Suite(.timeLimit(.minutes(2))) struct FeatureConformanceTests {
  typealias Case = StoreConformanceTests.Case

  private static let m = """
    state = { n = 5, text = "", name = "a" },
    actions = { set = { to = "integer" }, say = { to = "any" } },
    reducers = { set = function(s, p) s.n = p.to end, say = function(s, p) s.text = p.to end },
    """
  private static let showsText = "observe = { ['m.text'] = function(new) print(new) end },"
  private static let showsNumber = "observe = { ['m.n'] = function(new) print(new) end },"

  static let store: [Case] = [
    Case(
      number: "VISPER wrong types", fate: .differs,
      says: "a reducer of the wrong type was passed over in silence; here a payload is checked",
      modules: ["m": m + showsNumber], actions: [("m/set", "x"), ("m/set", 1)],
      notes: ["m/set: the payload doesn't fit m/set", "1"]),
    Case(
      number: "VISPER batch", fate: .differs,
      says: "several dispatched at once were several transactions; a list here is one",
      modules: [
        "m": m + showsNumber,
        "n": """
        actions = { go = {} }, middleware = { on = "n/go", run = function(_, _, self)
          local function set(n) return { type = "m/set", payload = { to = n } } end
          self.dispatch { set(1), set(2) }
        end },
        """,
      ], actions: [("n/go", nil)], notes: ["2"]),
    Case(
      number: "VISPER middleware kinds", fate: .differs,
      says: "middleware maps, multiplies and drops; what it makes of one action is one commit here",
      modules: [
        "m": m + showsText,
        "a": """
        middleware = { priority = "high", on = "m/say", run = function(action)
          return { action, { type = "m/say", payload = { to = action.payload.to .. " twice" } } }
        end },
        """,
        "b": """
        middleware = { priority = "low", on = "m/say", run = function(action)
          if action.payload.to == "x" then return false end
        end },
        """,
      ], actions: [("m/say", "x"), ("m/say", "y")], notes: ["x twice", "y twice"]),
    Case(
      number: "VISPER state of middleware", fate: .same,
      says: "middleware sees the state without what is queued",
      modules: [
        "m": m,
        "n": """
        middleware = { on = "m/set", run = function(action, state, self)
          if action.payload.to == 1 then self.dispatch("m/set", { to = 9 }) end
          print(action.payload.to .. " " .. state.m.n)
        end },
        """,
      ], actions: [("m/set", 1)], notes: ["1 5", "9 1"]),
    Case(
      number: "VISPER order of subscribers, ReSwift order", fate: .mended,
      says: "subscribers were called in no order; here in that of modules and registrations",
      modules: [
        "m": m, "z": "observe = { ['m.n'] = function() print 'z' end },",
        "a": """
        observe = { ['m.n'] = function() print 'a' end, ['m'] = function() print 'a, all' end },
        """,
      ], actions: [("m/set", 1)], notes: ["a, all", "a", "z"]),
    Case(
      number: "ReSwift setter", fate: .same, says: "only reducers change the state",
      modules: [
        "m": m + showsNumber,
        "n": """
        observe = { ["m.name"] = function() end, m = function(new)
          print(pcall(function() new.n = 0 end))
        end },
        """,
      ], actions: [("m/say", "x")],
      notes: ["false\tn.lua:4: m.n: the state can only be changed in a reducer; dispatch an action"]
    ),
    Case(
      number: "ReduxUI middlewares", fate: .mended,
      says: "a middleware without an answer ended the loop, and later ones weren't asked",
      modules: [
        "m": m + "after_reduce = { on = 'm/say', run = function() end },",
        "n": "after_reduce = { on = 'm/say', run = function() print 'asked' end },",
      ], actions: [("m/say", "x")], notes: ["asked"]),
    Case(
      number: "ReduxUI multiple", fate: .mended, says: "lists within lists of actions were ignored",
      modules: [
        "m": m + showsNumber + """
          after_reduce = { on = "m/say", run = function()
            local function set(n) return { type = "m/set", payload = { to = n } } end
            return { set(1), { set(2), { set(3) } } }
          end },
          """
      ], actions: [("m/say", "x")], notes: ["1", "2", "3"]),
    Case(
      number: "ReduxUI route", fate: .mended,
      says: "a reducer performed a route under a lock; here what follows a reduce may route",
      modules: [
        "m": m + """
          routes = { ["/x"] = function(_, state) print("screen " .. state.n) return {} end },
          after_reduce = { on = "m/set", run = function() return "/x" end },
          """
      ], actions: [("m/set", 1)], notes: ["screen 1"]),
    Case(
      number: "ReduxUI output", fate: .same, says: "a module feeds actions into another",
      modules: [
        "m": m + showsNumber,
        "n": """
        actions = { go = {} },
        after_reduce = { on = "n/go", run = function(_, _, _, self)
          self.dispatch("m/set", { to = 8 })
        end },
        """,
      ], actions: [("n/go", nil)], notes: ["8"]),
    Case(
      number: "VISPER-Sourcery", fate: .mended,
      says: "each property gets an action and a reducer; setting an optional to nothing trapped",
      modules: [
        "m": """
        state = { user_name = "a", maybe = moon.null }, derive = { "set" },
        reducers = { ["m/*"] = function(s, p) s.seen = true end },
        observe = { ["m.user_name"] = function(new) print(new) end,
          ["m.maybe"] = function(new) print(tostring(new)) end },
        """,
        "n": """
        actions = { go = {} }, after_reduce = { on = "n/go", run = function()
          return { { type = "m/set_user_name", payload = { value = "b" } },
            { type = "m/set_maybe", payload = { value = 1 } },
            { type = "m/set_maybe", payload = { value = moon.null } } }
        end },
        """,
      ], actions: [("n/go", nil)], notes: ["b", "1", "null"]),
  ]

  static let caesura: [Case] = [
    Case(
      number: "63, 68", fate: .differs,
      says: "the start of the app starts the navigation; here `nav/did_start` tells of it",
      modules: [
        "m": """
        reducers = { ["nav/did_start"] = function(_, p) print(p.window.id) end },
        """
      ], actions: [], notes: ["main"]),
    Case(
      number: "Caesura slices", fate: .mended,
      says: "two modules with one type of state shared a slice; here a slice has its module's name",
      modules: ["m": m + showsNumber, "n": m + "observe = { n = function() print 'n' end },"],
      actions: [("m/set", 1), ("n/set", 2)], notes: ["1", "n"]),
    Case(
      number: "Caesura shapes of mappers", fate: .same,
      says: "a mapper answers with one, with several or with none",
      modules: [
        "a": "map_modules = { ['m/say'] = function() return moon.start 'x' end },",
        "b": "map_modules = { ['m/say'] = function() return { moon.stop 'x' } end },",
        "c": "map_modules = { ['m/say'] = function() end },", "m": m,
        "x": """
        actions = { start = {}, stop = {} }, reducers = { start = function() print 'start' end,
          stop = function() print 'stop' end },
        """,
      ], actions: [("m/say", "x")], notes: ["start", "stop"]),
    Case(
      number: "Caesura navigation mapper", fate: .differs,
      says: "an action that navigates never reached reducers; here it does, and then navigates",
      modules: [
        "m": m + showsText + """
          routes = { ["/x"] = function() print "screen" return {} end },
          map_navigation = { say = function() return "/x" end },
          """
      ], actions: [("m/say", "x")], notes: ["x", "screen"]),
    Case(
      number: "Caesura navigation actions", fate: .differs,
      says: "navigation actions went no further than the navigation; here reducers see them",
      modules: [
        "m": """
        routes = { ["/x"] = function() return {} end },
        actions = { go = {} },
        reducers = { go = function() end, ["nav/show"] = function(_, p) print("show " .. p.screen.url) end },
        map_navigation = { go = function() return "/x" end },
        """
      ], actions: [("m/go", nil)], notes: ["show /x"]),
    Case(
      number: "Caesura app notifications", fate: .differs,
      says: "the app's notifications are actions; here those of the host are",
      modules: [
        "m": "reducers = { ['host/started'] = function(_, p) print(p.module) end },",
        "n": "",
      ], actions: [], notes: ["m", "n"]),
  ]

  static let all = store + caesura

  @Test(arguments: all)
  func `an ancestor's case`(item: Case) async throws { try await item.run() }

  /// The numbers of the behaviours that the tests below show.
  static let shown = ["VISPER composite", "Caesura whole-state reducer", "VISPER delivery"]

  @Test func `the whole state is reduced after its parts, and only what is returned changes`()
    async throws
  {
    let notes = Notes()
    var options = Bench.quiet
    options.grants.allowed = [Grants.Rule(try Scope(parsing: "state:*"))]
    let bench = try await Bench(
      [
        "m.lua": "return {\(Self.m)}",
        "n.lua": """
        return { needs = { "state:*" }, state = { kept = true }, reduce_all = {
          ["m/set"] = function(state) state.m.text = "n is " .. state.m.n end } }
        """,
      ], options: options)
    try await bench.dispatch("m/set", ["to": 7])
    #expect(try await bench.state("m.text") == "n is 7")
    #expect(try await bench.state("n.kept") == true)
    #expect(notes.all == [])
  }

  @Test func `values are delivered elsewhere, one after the other`() async throws {
    let bench = try await Bench(["m.lua": "return {\(Self.m)}"])
    let states = try await HostSession(bench.session, on: bench.host).values(at: "m.n")
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 5)
    try await bench.dispatch("m/set", ["to": 1])
    #expect(await iterator.next() == 1)
  }
}
