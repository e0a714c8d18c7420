import MoonTestSupport
import Moonwire
import Testing

/// The behaviour of the ancestors' stores, mappers and subscriptions, and ours.
@Suite(.timeLimit(.minutes(2))) struct StoreConformanceTests {
  /// A behaviour of an ancestor, tested by dispatching some actions.
  struct Case: CustomTestStringConvertible {
    let number: String
    let fate: RoutingConformanceTests.Fate
    /// The ancestor's behaviour, and the reason if ours differs.
    let says: String
    /// The bodies of modules by name.
    let modules: [String: String]
    /// The actions, each with the value for `to` in its payload.
    let actions: [(type: String, to: Value)]
    /// The printed lines; a refused action adds its type and the error.
    let notes: [String]

    var testDescription: String { "\(number) (\(fate.rawValue)): \(says)" }
  }

  private static let m = """
    state = { n = 5, text = "", name = "a" },
    actions = { set = { to = "any" }, say = { to = "any" }, drop = {} },
    reducers = {
      set = function(s, p) s.n = p.to end, say = function(s, p) s.text = p.to end,
      drop = function(s) s.n = nil end,
    },
    """
  /// Returns a middleware that appends a word to the text of the action.
  private static func appending(_ word: String, _ priority: String) -> String {
    """
    middleware = { priority = "\(priority)", on = "m/say", run = function(action)
      action.payload.to = action.payload.to .. " \(word)"
      return action
    end },
    """
  }
  private static let shows = "observe = { ['m.text'] = function(new) print(new) end },"

  static let reducing: [Case] = [
    Case(
      number: "23, 24", fate: .same, says: "a reducer hears the actions that it names only",
      modules: [
        "m": """
        reducers = { a = function() print "a" end, b = function() print "b" end },
        """,
        "n": "reducers = { a = function() print 'n' end },",
      ], actions: [("m/a", nil), ("m/b", nil), ("n/a", nil)], notes: ["a", "b", "n"]),
    Case(
      number: "23b", fate: .mended, says: "of several reducers only the last one's result counted",
      modules: [
        "m": """
        state = { n = 0 }, actions = { go = {} },
        reducers = { go = function(s) s.n = s.n + 1 end, ["m/*"] = function(s)
          s.n = s.n + 10 end },
        observe = { ["m.n"] = function(n) print(n) end },
        """
      ], actions: [("m/go", nil)], notes: ["11"]),
    Case(
      number: "25, 42", fate: .same,
      says: "a subscriber gets what there is, then what it becomes; the old value is as it was",
      modules: [
        "m": m,
        "n": """
        observe = { m = { initial = true, run = function(new, old)
          print((old and old.n or "-") .. " " .. new.n)
        end } },
        """,
      ], actions: [("m/set", 7)], notes: ["- 5", "5 7"]),
    Case(
      number: "29", fate: .same, says: "a mapped property gives each value, mapped",
      modules: [
        "m": m,
        "n": "observe = { ['m.n'] = { initial = true, run = function(n) print(n * 10) end } },",
      ], actions: [("m/set", 20), ("m/set", 30)], notes: ["50", "200", "300"]),
    Case(
      number: "30", fate: .same, says: "a distinct property leaves out what is the same",
      modules: ["m": m, "n": "observe = { ['m.n'] = function(n) print(n) end },"],
      actions: [10, 10, 20, 20, 30, 30, 30].map { ("m/set", $0) }, notes: ["10", "20", "30"]),
    Case(
      number: "36, 54", fate: .differs,
      says: "the first action had an empty state; here `state` is there, and the host says so",
      modules: [
        "m": """
        state = { n = 5 }, reducers = { ["host/started"] = function(s, p)
          print(p.module .. " " .. s.n)
        end },
        """
      ], actions: [], notes: ["m 5"]),
    Case(
      number: "37", fate: .mended, says: "a reducer that dispatches ended the program",
      modules: [
        "m": """
        actions = { go = {} }, on_start = function(self) kept = self end,
        reducers = { go = function() kept.dispatch("go") end },
        """
      ], actions: [("m/go", nil)],
      notes: [
        "m/go: dispatching isn't available in a reducer: its result must depend on the state and "
          + "the action alone"
      ]),
    Case(
      number: "48", fate: .same, says: "a subscriber of one part isn't told of another",
      modules: [
        "m": m,
        "n": "observe = { ['m.name'] = { initial = true, run = function(n) print(n) end } },",
      ],
      actions: [("m/set", 1), ("m/set", 2)], notes: ["a"]),
    Case(
      number: "43, 49", fate: .differs,
      says: "subscribers could ask for every dispatch; here what is the same is never told",
      modules: [
        "m": m,
        "n": """
        observe = { ['m.n'] = { same = function() return false end, run = function(n)
          print(n) end } },
        """,
      ], actions: [("m/set", 3), ("m/set", 3), ("m/set", 3)], notes: ["3"]),
    Case(
      number: "50", fate: .same, says: "a comparison of the subscriber's own skips",
      modules: [
        "m": m,
        "n": """
        observe = { ['m.n'] = { initial = true, same = function() return true end,
          run = function(n) print(n) end } },
        """,
      ], actions: [("m/set", 6)], notes: ["5"]),
    Case(
      number: "51", fate: .same, says: "a value that goes is told",
      modules: ["m": m, "n": "observe = { ['m.n'] = function(n) print(tostring(n)) end },"],
      actions: [("m/set", 3), ("m/drop", nil)], notes: ["3", "nil"]),
    Case(
      number: "44", fate: .same, says: "a subscriber may dispatch",
      modules: [
        "m": m,
        "n": """
        observe = { ['m.n'] = function(n, _, self)
          print(n)
          if n ~= 5 then self.dispatch("m/set", { to = 5 }) end
        end },
        """,
      ], actions: [("m/set", 2)], notes: ["2", "5"]),
    Case(
      number: "44b", fate: .mended,
      says: "subscribers after one that dispatches saw the newest state twice, and never the first",
      modules: [
        "m": m,
        "n": """
        observe = { ['m.n'] = function(n, _, self)
          if n ~= 5 then self.dispatch("m/set", { to = 5 }) end
        end },
        """,
        "z": "observe = { ['m.n'] = function(n) print(n) end },",
      ], actions: [("m/set", 2)], notes: ["2", "5"]),
    Case(
      number: "86", fate: .same, says: "a module that reduced nothing has its first state",
      modules: [
        "m": m, "n": "observe = { m = { initial = true, run = function(m) print(m.n) end } },",
      ],
      actions: [], notes: ["5"]),
  ]

  static let intercepting: [Case] = [
    Case(
      number: "38", fate: .same, says: "middleware is called in its order, each with what is left",
      modules: [
        "m": m + shows, "a": appending("First", "medium"), "b": appending("Second", "medium"),
      ], actions: [("m/say", "OK")], notes: ["OK First Second"]),
    Case(
      number: "39", fate: .same, says: "what a middleware dispatches passes all of them",
      modules: [
        "m": m + shows, "a": appending("First", "medium"), "b": appending("Second", "medium"),
        "c": """
        middleware = { on = "m/set", run = function(action, _, self)
          self.dispatch("m/say", { to = tostring(action.payload.to) })
          return false
        end },
        """,
      ], actions: [("m/set", 10)], notes: ["10 First Second"]),
    Case(
      number: "39b", fate: .differs,
      says: "VISPER reduced what a middleware dispatches before the action; here it comes after it",
      modules: [
        "m": m + "observe = { ['m.n'] = function(n) print(n) end },",
        "c": """
        middleware = { on = "m/set", run = function(action, _, self)
          if action.payload.to < 10 then self.dispatch("m/set", { to = 99 }) end
        end },
        """,
      ], actions: [("m/set", 1)], notes: ["1", "99"]),
    Case(
      number: "40", fate: .same, says: "middleware sees the state, replaces and swallows",
      modules: [
        "m": m + shows,
        "c": """
        middleware = { on = "m/say", run = function(action, state)
          if state.m.text == "OK" then
            return { type = "m/say", payload = { to = "Not OK" } }
          end
          if action.payload.to == "no" then return false end
        end },
        """,
      ], actions: [("m/say", "no"), ("m/say", "OK"), ("m/say", "x")], notes: ["OK", "Not OK"]),
    Case(
      number: "52", fate: .same, says: "an action can be made of the state",
      modules: [
        "m": m + "observe = { ['m.n'] = function(n) print(n) end },",
        "c": """
        middleware = { on = "c/double", run = function(_, state)
          return { type = "m/set", payload = { to = state.m.n * 2 } }
        end },
        """,
      ], actions: [("c/double", nil)], notes: ["10"]),
    Case(
      number: "57", fate: .same, says: "high comes before medium before low",
      modules: [
        "m": m, "a": appending("low", "low"), "b": appending("medium", "medium"),
        "c": appending("high", "high"), "d": shows,
      ], actions: [("m/say", "x")], notes: ["x high medium low"]),
  ]

  private static let parts = """
    actions = { start = {}, stop = {} },
    reducers = { start = function(_, _, a) print(a.type) end,
      stop = function(_, _, a) print(a.type) end },
    """

  static let mapping: [Case] = [
    Case(
      number: "58", fate: .same, says: "what a mapper makes goes on in its order",
      modules: [
        "m": """
        actions = { go = {}, other = {} },
        reducers = { go = function() print "go" end, other = function() print "other" end },
        map_modules = { go = function()
          return { moon.start "x", moon.stop "x", moon.replace "other" }
        end },
        """, "x": parts,
      ], actions: [("m/go", nil)], notes: ["x/start", "x/stop", "other"]),
    Case(
      number: "59", fate: .same, says: "a start that is mapped to itself happens once",
      modules: ["x": parts + "map_modules = { start = function() return moon.start 'x' end },"],
      actions: [("x/start", nil)], notes: ["x/start"]),
    Case(
      number: "60", fate: .differs,
      says: "mapped actions went no further; here each does, and is mapped in turn",
      modules: [
        "a": parts + "map_modules = { start = function() return moon.start 'b' end },",
        "b": parts + """
          map_modules = { start = function() return { moon.start 'b', moon.start 'c' } end },
          """,
        "c": parts + "map_modules = { start = function() return moon.stop 'c' end },",
      ], actions: [("a/start", nil)], notes: ["a/start", "b/start", "c/start", "c/stop"]),
    Case(
      number: "60b", fate: .mended, says: "two mappers that map to each other never ended",
      modules: [
        "a": parts + "map_modules = { start = function() return moon.replace('b/start') end },",
        "b": parts + "map_modules = { start = function() return moon.replace('a/start') end },",
      ], actions: [("a/start", nil)],
      notes: [
        "a/start: module mappers made more than 16 steps of one action: it wasn't carried out"
      ]),
    Case(
      number: "61", fate: .same, says: "all mappers of an action are asked",
      modules: [
        "a": "map_modules = { ['m/set'] = function() return moon.start 'x' end },",
        "b": "map_modules = { ['m/set'] = function() return moon.stop 'x' end },", "m": m,
        "x": parts,
      ], actions: [("m/set", 1)], notes: ["x/start", "x/stop"]),
    Case(
      number: "62", fate: .same, says: "an action that no mapper answers goes on",
      modules: ["m": m + shows + "map_modules = function() end,"], actions: [("m/say", "x")],
      notes: ["x"]),
    Case(
      number: "62b", fate: .mended, says: "an empty answer swallowed the action",
      modules: ["m": m + shows + "map_modules = function() return {} end,"],
      actions: [("m/say", "x")], notes: ["x"]),
    Case(
      number: "64", fate: .differs,
      says: "an action that was answered with others never reached reducers; here it does first",
      modules: [
        "x": parts + """
          after_reduce = { on = "x/start", run = function() return { type = "stop" } end },
          """
      ], actions: [("x/start", nil)], notes: ["x/start", "x/stop"]),
  ]

  static let all = reducing + intercepting + mapping

  /// The numbers of the cases that the tests below show.
  static let shown = ["45", "87", "31", "32", "46", "41", "55", "47", "56"]

  @Test(arguments: all)
  func `an ancestor's case`(item: Case) async throws { try await item.run() }

  /// Returns a module in Swift that notes a value from its start.
  private static func subscriber(_ notes: Notes) throws -> Module {
    try Module("eye") { module in
      module.observers = [
        Observer(of: StateSelection(try Path(parsing: "m.n")), from: .start) { new, _, _ in
          notes.add(new?.canonicalText ?? "-")
        }
      ]
    }
  }

  @Test func `45, 87: who has left isn't told, who comes back gets what there is`() async throws {
    let notes = Notes()
    let bench = try await Bench(["m.lua": "return {\(Self.m)}"])
    let name = try #require(ModuleName("eye"))
    try await bench.host.add(try Self.subscriber(notes))
    try await bench.dispatch("m/set", ["to": 10])
    try await bench.host.remove(name)
    try await bench.dispatch("m/set", ["to": 15])
    try await bench.dispatch("m/set", ["to": 25])
    try await bench.host.add(try Self.subscriber(notes))
    try await bench.dispatch("m/set", ["to": 20])
    #expect(notes.all == ["5", "10", "25", "20"])
    // 31 differs: leaving twice is harmless there. Here it is an error, because a name was wrong.
    try await bench.host.remove(name)
    await #expect(throws: HostError.notInService(name)) { try await bench.host.remove(name) }
  }

  @Test func `31, 32, 46: subscriptions go with the module that has them`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "m.lua": "return {\(Self.m)}",
        "n.lua": """
        return { observe = { ["m.n"] = function(n) print("n " .. n) end,
          ["m.text"] = function(t) print("text " .. t) end } }
        """,
      ])
    try await bench.dispatch("m/set", ["to": 1])
    try bench.folder.remove("n.lua")
    await bench.host.reload()
    try await bench.dispatch("m/set", ["to": 2])
    try await bench.dispatch("m/say", ["to": "x"])
    #expect(notes.all == ["n 1"])
  }

  @Test func `41, 55: middleware comes and goes while the store runs`() async throws {
    // 55 differs: there, anything registered after the start is never called.
    let bench = try await Bench(["m.lua": "return {\(Self.m)}"])
    try await bench.host.add(
      try Module("gate") { $0.middleware = [Middleware(.exact("m/set")) { _, _, _ in .drop }] })
    try await bench.dispatch("m/set", ["to": 1])
    #expect(try await bench.state("m.n") == 5)
    try await bench.host.remove(try #require(ModuleName("gate")))
    try await bench.dispatch("m/set", ["to": 1])
    #expect(try await bench.state("m.n") == 1)
  }

  @Test func `47: what a subscriber adds stays, and is told of what comes`() async throws {
    // Differs: a module is added between two actions, not within one.
    let notes = Notes()
    let bench = try await Bench(["m.lua": "return {\(Self.m)}"])
    let states = try await HostSession(bench.session, on: bench.host).values(at: "m.n")
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 5)
    try await bench.host.add(try Self.subscriber(notes))
    try await bench.dispatch("m/set", ["to": 1])
    #expect(notes.all == ["5", "1"])
    #expect(await iterator.next() == 1)
  }

  @Test func `56: a module's actions are told once, with the module`() async throws {
    let bench = try await Bench([
      "a.lua": """
      return { state = { told = {} }, reducers = { ["host/started"] = function(s, p)
        for _, action in ipairs(p.actions) do s.told[#s.told + 1] = action.type end
      end } }
      """,
      "m.lua": "return {\(Self.m)}",
    ])
    let told = try #require(try await bench.state("a.told")?.listValue)
    #expect(Set(told.map { $0.stringValue ?? "" }) == ["m/drop", "m/say", "m/set"])
    #expect(told.count == 3)
  }
}
