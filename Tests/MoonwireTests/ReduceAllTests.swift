import MoonTestSupport
import Moonwire
import Testing

/// Reducers of the whole state in Lua, and the grants that their modules need.
@Suite(.timeLimit(.minutes(2))) struct ReduceAllTests {
  /// All slices.
  private static let allSlices: Scope = {
    do throws(ScopeError) {
      return try Scope(parsing: "state:*")
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  private static let a = """
    return { state = { n = 1 }, actions = { add = {}, reset = "Resets" },
      reducers = { add = function(s) s.n = s.n + 1 end } }
    """
  private static let b = "return { state = { items = { 1, 2 }, total = 3 } }"

  private static func sweeper(
    _ body: String, needs: String = "'state:*'", on: String = "['a/reset'] ="
  ) -> String {
    """
    return {
      needs = { \(needs) },
      state = { sweeps = 0 },
      reduce_all = { \(on) function(state, payload, action)
        \(body)
      end },
    }
    """
  }

  private static func options(allow scopes: String...) throws -> HostOptions {
    var options = Bench.quiet
    options.grants.allowed = try scopes.map { Grants.Rule(try Scope(parsing: $0)) }
    return options
  }

  private func bench(
    _ body: String, needs: String = "'state:*'", allow: String = "state:*"
  ) async throws -> Bench {
    try await Bench(
      ["a.lua": Self.a, "b.lua": Self.b, "c.lua": Self.sweeper(body, needs: needs)],
      options: try Self.options(allow: allow))
  }

  @Test func `it changes any slice, after the slices' own reducers`() async throws {
    let bench = try await bench(
      """
      state.b.total = state.a.n + #state.b.items
      state.a.n = 0
      table.insert(state.b.items, payload.x or "none")
      state.c.sweeps = state.c.sweeps + 1
      """)
    try await bench.dispatch("a/reset", ["x": 7])
    #expect(
      await bench.canonicalState()
        == #"{"a":{"n":0},"b":{"items":[1,2,7],"total":3},"c":{"sweeps":1}}"#)
    #expect(try await bench.info("c")?.needs.map(\.description) == ["state:*"])
  }

  @Test func `one function hears every action`() async throws {
    let bench = try await Bench(
      [
        "a.lua": Self.a,
        "c.lua": """
        return { needs = { "state:a" }, state = { seen = 0 }, reduce_all = function(state, _, action)
          if action.type == "a/add" then state.a.n = state.a.n * 10 end
        end }
        """,
      ], options: try Self.options(allow: "state:a"))
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 20)
  }

  @Test func `a slice that is taken away starts over`() async throws {
    let bench = try await bench("state.a = nil")
    try await bench.dispatch("a/add")
    try await bench.dispatch("a/reset")
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 2)
  }

  @Test(arguments: [
    ("state.b.total = 5", "module c changed the slice b, and doesn't ask for it"),
    ("state.b = nil", "module c changed the slice b"),
    ("state.navigation = {}", "module c changed the slice navigation"),
  ])
  func `it changes only the slices that it asks for`(
    body: String, reason: String
  ) async throws {
    let bench = try await bench(
      "state.a.n = 5 state.c.sweeps = 1 \(body)", needs: "'state:a'", allow: "state:*")
    let before = await bench.canonicalState()
    let outcome = try await bench.dispatch("a/reset")
    #expect(outcome.faults.count == 1)
    #expect("\(outcome.faults[0])".contains(reason), "\(outcome.faults)")
    #expect(outcome.faults[0].place?.file == "c.lua")
    #expect(await bench.canonicalState() == before)
  }

  @Test(arguments: [
    ("state.a = 5", "the slice a must be a table, not an integer"),
    ("state.zip = {}", "there is no module 'zip' that could have a slice"),
    ("state[1] = {}", "a table with both integer and string keys can't be kept"),
    ("return { a = {} }", "reduce_all changes `state` in place, and returns nothing"),
    ("state.b.f = print", "state.b.f"), ("os.time()", "os.time"),
    ("state.navigation = { windows = 5 }", "that is no navigation"),
    ("error('no')", "no"),
  ])
  func `what it can't do costs its own part, and the action stands`(
    body: String, reason: String
  ) async throws {
    let bench = try await bench("state.b.total = 99 \(body)")
    let before = await bench.canonicalState()
    let outcome = try await bench.dispatch("a/reset")
    #expect(outcome.faults.count == 1)
    #expect("\(outcome.faults[0])".contains(reason), "\(outcome.faults)")
    #expect(outcome.faults[0].action?.type == "a/reset")
    #expect(await bench.canonicalState() == before)
  }

  @Test func `each slice that it changes is held to that module's quota`() async throws {
    var options = try Self.options(allow: "state:*")
    var limits = ModuleLimits()
    limits.stateQuota = 10_000
    options.limits = [try #require(ModuleName("b")): limits]
    let bench = try await Bench(
      [
        "a.lua": Self.a, "b.lua": Self.b,
        "c.lua": Self.sweeper("state.b.text = string.rep('x', 20000)"),
      ], options: options)
    let outcome = try await bench.dispatch("a/reset")
    #expect("\(outcome.faults)".contains("would take more than"), "\(outcome.faults)")
    #expect(try await bench.state("b.text") == nil)
  }

  @Test func `random numbers repeat with the action`() async throws {
    func run() async throws -> Value? {
      let bench = try await bench("state.c.sweeps = require('moonwire').random(1000000)")
      try await bench.dispatch("a/reset")
      return try await bench.state("c.sweeps")
    }
    #expect(try await run() == run())
  }

  static let refused: [(String, [String], [String], ModuleProblem.Reason)] = [
    (
      "needs = {\n'state:*' }", [], [],
      .notGranted(Self.allSlices, .notGranted)
    ),
    (
      "needs = {\n'state:*' }", ["state:a"], [],
      .notGranted(Self.allSlices, .notGranted)
    ),
    (
      "needs = {\n'state:*' }", ["state:*"], ["state:*"],
      .notGranted(Self.allSlices, .denied(by: .init(Self.allSlices)))
    ),
    (
      "needs = {\n'stat:*' }", ["state:*"], [],
      .invalidScope(text: "stat:*", .unknownKind("stat", nearest: "state"))
    ),
    (
      "needs =\n'state:*'", [], [],
      .wrongKind(key: "needs", expected: "a list of scopes", found: "a string")
    ),
    (
      "state = {},\nreduce_all = { ['a/x'] = print }", ["state:*"], [],
      .nothingNeeded(key: "reduce_all", kind: .state)
    ),
    (
      "needs = { 'state:*' },\nreduce_all = 5", ["state:*"], [],
      .wrongKind(
        key: "reduce_all", expected: "a function, or a table of functions by action",
        found: "a number")
    ),
    (
      "needs = { 'state:*' },\nreduce_all = { ['/'] = function() end }", ["state:*"], [],
      .invalidPattern(key: "reduce_all", text: "/")
    ),
  ]

  @Test(arguments: refused)
  func `a module that asks for more than it is granted isn't loaded`(
    text: String, allowed: [String], denied: [String], reason: ModuleProblem.Reason
  ) async throws {
    var options = Bench.quiet
    options.grants.allowed = try allowed.map { Grants.Rule(try Scope(parsing: $0)) }
    options.grants.denied = try denied.map { Grants.Rule(try Scope(parsing: $0)) }
    let bench = try await Bench(["c.lua": "return { \(text) }"], options: options)
    let info = try #require(try await bench.info("c"))
    #expect(info.status == .failed)
    #expect(info.problems.map(\.reason) == [reason])
    if case .wrongKind(let key, _, _) = reason, key == "needs" { return }
    #expect(info.problems.map(\.place.line) == [2])
  }

  @Test func `a save that asks for more leaves the generation before it in service`() async throws {
    let bench = try await Bench(["c.lua": "return { state = { n = 1 } }"])
    try bench.folder.save("c.lua", Self.sweeper(""))
    await bench.host.reload()
    #expect(try await bench.info("c")?.status == .stale)
    #expect(try await bench.state("c.n") == 1)
  }

  @Test func `a module in Swift that asks is held to the same grants`() async throws {
    let bench = try await Bench()
    let name = try #require(ModuleName("s"))
    await #expect(throws: HostError.notGranted(name, Self.allSlices)) {
      try await bench.host.add(try Module("s") { $0.needs = [Self.allSlices] })
    }
  }
}
