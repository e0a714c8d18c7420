import Moonwire
import Testing

/// Invariant 7: the changes of an action's own module are committed together or not at all.
struct PipelineTests {
  private struct TaskError: Error {}

  /// Returns a module whose reducers note that they ran, as `name:what`.
  private static func noting(_ name: String, _ patterns: [String], _ notes: Notes) throws -> Module
  {
    try Module(name, state: ["n": 0]) { module in
      for text in patterns {
        guard let pattern = ActionPattern(text, owner: name) else { continue }
        module.reducers.append(Reducer(pattern) { _, _ in notes.add("\(name):\(pattern)") })
      }
    }
  }

  @Test func `the owner reduces first, then the others in the order of names`() async throws {
    let notes = Notes()
    let bench = try await Bench(adding: [
      { try Self.noting("zoo", ["todo/add", "todo/*"], notes) },
      { try Self.noting("todo", ["todo/*", "add", "*"], notes) },
      { try Self.noting("all", ["*", "todo/add"], notes) },
    ])
    notes.clear()
    try await bench.dispatch("todo/add")
    #expect(
      notes.all == [
        "todo:todo/*", "todo:todo/add", "todo:*", "all:*", "all:todo/add", "zoo:todo/add",
        "zoo:todo/*",
      ])
  }

  @Test func `reducers of one module are chained`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        state = { n = 2 },
        reducers = {
          go = function(s) s.n = s.n * 10 end,
          ["m/*"] = function(s) s.n = s.n + 1 end,
        },
      }
      """
    ])
    try await bench.dispatch("m/go")
    // In the order of their keys: "go" before "m/*".
    #expect(try await bench.state("m.n") == 21)
  }

  @Test func `reducers of the whole state run last and see what the slices' reducers did`()
    async throws
  {
    let bench = try await Bench(
      ["z.lua": "return { state = { n = 0 }, reducers = { go = function(s) s.n = s.n + 1 end } }"],
      adding: [
        {
          try Module("a", state: ["copy": 0]) { module in
            module.wholeStateReducers.append(
              Reducer(.exact("z/go")) { whole, _ in
                guard var map = whole.mapValue else { return }
                map["a"] = ["copy": whole["z"]?["n"] ?? nil]
                whole = .map(map)
              })
          }
        }
      ])
    #expect(try await bench.dispatch("z/go").summary == ["a.copy 0 → 1", "z.n 0 → 1"])
  }

  @Test func `a reducer of the whole state that leaves no map is a fault`() async throws {
    let bench = try await Bench(adding: [
      {
        try Module("a", state: ["n": 0]) { module in
          module.reducers.append(Reducer(.exact("a/go")) { state, _ in state = ["n": 1] })
          module.wholeStateReducers.append(Reducer(.exact("a/go")) { whole, _ in whole = 1 })
        }
      }
    ])
    guard case .fault(let fault) = await bench.failure(of: "a/go") else {
      Issue.record("no fault")
      return
    }
    #expect(fault.registration == Registration(.reducer, "a/go"))
    #expect(try await bench.state("a.n") == 0)
  }

  @Test func `middleware runs high before medium before low, then in the order of names`()
    async throws
  {
    let notes = Notes()
    @Sendable func module(
      _ name: String, _ priorities: [Middleware.Priority]
    ) throws -> Module {
      try Module(name) { module in
        for priority in priorities {
          module.middleware.append(
            Middleware(priority: priority) { _, _, _ in
              notes.add("\(name) \(priority)")
              return .pass
            })
        }
        module.reducers.append(Reducer(.exact("x/go")) { _, _ in notes.add("\(name) reducer") })
      }
    }
    let bench = try await Bench(adding: [
      { try module("c", [.low, .high]) }, { try module("a", [.low, .medium]) },
      { try module("b", [.high, .medium]) },
    ])
    notes.clear()
    try await bench.dispatch("x/go")
    #expect(
      notes.all == [
        "b high", "c high", "a medium", "b medium", "a low", "c low", "a reducer", "b reducer",
        "c reducer",
      ])
  }

  private static let counter = """
    return {
      state = { count = 0, log = {} },
      actions = { add = { by = "integer" }, double = {} },
      reducers = {
        add = function(s, p) s.count = s.count + p.by end,
        double = function(s) s.count = s.count * 2 end,
        ["counter/*"] = function(s, p, a) table.insert(s.log, a.type) end,
      },
    }
    """

  @Test(arguments: [
    ("", 3, ["counter/add"]),
    ("return true", 3, ["counter/add"]),
    ("return false", 0, []),
    ("return {}", 0, []),
    ("action.payload.by = 10; return action", 10, ["counter/add"]),
    ("return { type = 'counter/add', payload = { by = 7 } }", 7, ["counter/add"]),
    ("return 'counter/double'", 0, ["counter/double"]),
    (
      "return { action, 'counter/double', action }", 9,
      [
        "counter/add", "counter/double", "counter/add",
      ]
    ),
  ])
  func `middleware passes on, drops, changes or multiplies`(
    body: String, count: Int64, log: [String]
  ) async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "gate.lua": """
      return { middleware = { on = "counter/*", run = function(action, state) \(body) end } }
      """,
    ])
    try await bench.dispatch("counter/add", ["by": 3])
    #expect(try await bench.state("counter.count") == .int(count))
    #expect(
      (try await bench.state("counter.log")?.listValue ?? List()).map(\.stringValue) == log)
  }

  @Test func `later middleware sees what earlier ones made, also of other types`() async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "a.lua": """
      return { middleware = { on = "counter/add", priority = "high", run = function(action)
        return { "counter/double", { type = "counter/add", payload = { by = 100 } } }
      end } }
      """,
      "b.lua": """
      return { middleware = { on = "counter/double", run = function(action)
        return { type = "counter/add", payload = { by = 1 } }
      end } }
      """,
      "c.lua": """
      return { middleware = { on = "counter/add", priority = "low", run = function(action)
        action.payload.by = action.payload.by * 2
        return action
      end } }
      """,
    ])
    try await bench.dispatch("counter/add", ["by": 3])
    #expect(try await bench.state("counter.count") == 202)
  }

  @Test func `what middleware puts in place of an action commits as one`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      [
        "counter.lua": Self.counter,
        "gate.lua": """
        return { middleware = { on = "counter/*", run = function(action)
          return { action, { type = "nobody/knows" } }
        end } }
        """,
      ],
      adding: [
        {
          try Module("eye") { module in
            module.observers.append(
              Observer(Path([.key("counter")])) { _, _, _ in notes.add("changed") })
          }
        }
      ])
    let before = try #require(await bench.host.state(of: bench.session))
    guard case .fault(let fault) = await bench.failure(of: "counter/add", ["by": 3]) else {
      Issue.record("the middleware isn't named")
      return
    }
    #expect(fault.reason == .raised("no module knows the action nobody/knows"))
    #expect(try #require(await bench.host.state(of: bench.session)).isIdentical(to: before))
    #expect(notes.all.isEmpty)
  }

  @Test func `several actions in place of one are observed once`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      [
        "counter.lua": Self.counter,
        "gate.lua": """
        return { middleware = { on = "counter/*", run = function(action)
          return { action, action }
        end } }
        """,
      ],
      adding: [
        {
          try Module("eye") { module in
            module.observers.append(
              Observer(Path([.key("counter"), .key("count")])) { new, old, _ in
                notes.add("\(old?.intValue ?? -1) → \(new?.intValue ?? -1)")
              })
          }
        }
      ])
    try await bench.dispatch("counter/add", ["by": 3])
    #expect(notes.all == ["0 → 6"])
  }

  @Test func `what Swift middleware puts in place keeps the action's number, time and cause`()
    async throws
  {
    let notes = Notes()
    let bench = try await Bench(adding: [
      {
        try Module("m") { module in
          module.middleware.append(
            Middleware(.exact("m/go")) { _, _, _ in .replace([Action("m/other")]) })
          module.reducers.append(
            Reducer(.exact("m/other")) { _, action in
              notes.add("\(action.meta.id) \(action.meta.time) \(action.meta.cause)")
            })
          module.actions.append(ActionDeclaration("go"))
        }
      }
    ])
    try await bench.host.dispatch(Action("m/go"), to: bench.session, cause: .prompt)
    #expect(notes.all == ["1 1000.25 prompt"])
  }

  @Test(arguments: [
    "return 5", "return 'a b'", "return { 'counter/double', 5 }", "return { payload = 1 }",
  ])
  func `a middleware that returns something else is a fault`(body: String) async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "gate.lua": "return { middleware = { on = 'counter/*', run = function() \(body) end } }",
    ])
    guard case .fault(let fault) = await bench.failure(of: "counter/add", ["by": 1]) else {
      Issue.record("no fault")
      return
    }
    #expect(fault.module == "gate")
    #expect(fault.registration.kind == .middleware)
    #expect(fault.place == SourcePlace(file: "gate.lua", line: 1))
    #expect(try await bench.state("counter.count") == 0)
  }

  @Test func `middleware that multiplies without end is stopped`() async throws {
    var files = ["counter.lua": Self.counter]
    for number in 10..<30 {
      files["m\(number).lua"] = """
        return { middleware = { on = "counter/*", run = function(a) return { a, a } end } }
        """
    }
    let bench = try await Bench(files)
    guard case .tooManyFollowing = await bench.failure(of: "counter/add", ["by": 1]) else {
      Issue.record("not stopped")
      return
    }
    #expect(try await bench.state("counter.count") == 0)
  }

  @Test func `one that raises leaves all slices as they were and says where it was`() async throws {
    let bench = try await Bench([
      "a.lua": "return { state = { n = 0 }, reducers = { ['c/go'] = function(s) s.n = 1 end } }",
      "c.lua": """
      local function deep(s)
        s.n = 2
        error("broken")
      end

      return {
        state = { n = 0 },
        reducers = {
          go = function(s) s.n = 1 end,
          ["c/*"] = function(s) deep(s) end,
        },
      }
      """,
    ])
    let before = try #require(await bench.host.state(of: bench.session))
    let error = await bench.failure(of: "c/go", ["x": 1])
    #expect(try #require(await bench.host.state(of: bench.session)).isIdentical(to: before))
    guard case .fault(let fault) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.module == "c")
    #expect(fault.generation == 1)
    #expect(
      fault.registration
        == Registration(.reducer, "c/*", place: SourcePlace(file: "c.lua", line: 10)))
    #expect(fault.reason == .raised("broken"))
    #expect(fault.place == SourcePlace(file: "c.lua", line: 3))
    #expect(fault.frames.map(\.place.line) == [3, 10])
    #expect(fault.frames.first?.function == "deep")
    #expect(fault.excerpt?.firstLine == 1)
    #expect(
      fault.excerpt?.lines == [
        "local function deep(s)", "  s.n = 2", "  error(\"broken\")", "end", "",
      ])
    #expect(fault.excerpt?.line == 3)
    #expect(fault.action?.type == "c/go")
    #expect(fault.action?.payload == ["x": 1])
    #expect(await bench.history() == ["c/go failed"])
  }

  @Test func `a Swift reducer that throws leaves all slices as they were`() async throws {
    let bench = try await Bench(
      ["a.lua": "return { state = { n = 0 }, reducers = { ['s/go'] = function(s) s.n = 1 end } }"],
      adding: [
        {
          try Module("s") { module in
            module.reducers.append(Reducer(.exact("s/go")) { _, _ in throw TaskError() })
          }
        }
      ])
    guard case .fault(let fault) = await bench.failure(of: "s/go") else {
      Issue.record("no fault")
      return
    }
    #expect(fault.summary == "s reducer s/go - raised(\"TaskError()\")")
    #expect(try await bench.state("a.n") == 0)
  }

  @Test func `a reducer may return the new slice, and nothing else`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        state = { n = 0 },
        reducers = {
          table = function() return { n = 5 } end,
          draft = function(s) s.n = 6 return s end,
          number = function() return 7 end,
        },
      }
      """
    ])
    try await bench.dispatch("m/table")
    #expect(try await bench.state("m") == ["n": 5])
    try await bench.dispatch("m/draft")
    #expect(try await bench.state("m") == ["n": 6])
    #expect(
      await bench.failure(of: "m/number")?.summary
        == "m reducer m/number m.lua:6 raised(\"a reducer returns nothing, or the new state "
        + "as a table\")"
    )
    #expect(try await bench.state("m") == ["n": 6])
  }

  @Test func `a module without state gets a slice when its reducer writes one`() async throws {
    let bench = try await Bench([
      "m.lua": "return { reducers = { go = function(s) s.n = 1 end, idle = function(s) end } }"
    ])
    try await bench.dispatch("m/idle")
    #expect(try await bench.state() == .map(Map()))
    try await bench.dispatch("m/go")
    #expect(try await bench.state() == ["m": ["n": 1]])
  }
}
