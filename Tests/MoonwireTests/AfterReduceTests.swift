import MoonTestSupport
import Moonwire
import Testing

/// Middleware after the reduce, and the access of all middleware to the session.
@Suite(.timeLimit(.minutes(2))) struct AfterReduceTests {
  private static let counter = """
    return {
      state = { n = 0 }, actions = { add = {}, twice = {}, note = { by = "any" } },
      reducers = { add = function(s) s.n = s.n + 1 end, note = function(s, p) s.by = p.by end },
      routes = { ["/x"] = function() return { title = "X" } end },
      map_navigation = { twice = function() return "/x" end },
    }
    """

  private static func after(_ body: String, on pattern: String = "counter/add") -> String {
    """
    return { after_reduce = { on = "\(pattern)", run = function(action, before, after, self)
      \(body)
    end } }
    """
  }

  @Test func `it sees the action and the state before and after it`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "counter.lua": Self.counter,
        "m.lua": Self.after(
          "print(action.type, before.counter.n, after.counter.n, self.state('counter.n'))"),
      ])
    try await bench.dispatch("counter/add")
    try await bench.dispatch("counter/add")
    try await bench.dispatch("counter/note", ["by": 1])
    #expect(notes.all == ["counter/add\t0\t1\t1", "counter/add\t1\t2\t2"])
  }

  @Test(arguments: [
    ("", []), ("return nil", []), ("return false", []), ("return true", []), ("return {}", []),
    ("return { type = 'counter/note', payload = { by = 'a' } }", ["counter/note"]),
    ("return 'own'", ["m/own"]), ("return '/x'", ["nav/route", "nav/show"]),
    (
      "return { 'own', { '/x', { { type = 'own' } } } }",
      ["m/own", "nav/route", "nav/show", "m/own"]
    ),
    ("self.dispatch('own') return 'own'", ["m/own", "m/own"]),
    ("return function(state) return state.counter.n == 1 and 'own' end", ["m/own"]),
    (
      "return { 'own', { function() return { { '/x' } } end } }",
      ["m/own", "nav/route", "nav/show"]
    ),
    (
      "return require('moonwire').defer(function(emit) emit('own', { 'own' }) end)",
      ["m/own", "m/own"]
    ),
  ])
  func `what it returns is dispatched`(body: String, types: [String]) async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "m.lua": Self.after(body).replacing(
        "return { after", with: "return { actions = { own = {} }, after"),
    ])
    let outcome = try await bench.dispatch("counter/add")
    #expect(outcome.faults.isEmpty && outcome.failures.isEmpty)
    let history = await bench.host.history(of: bench.session).entries
    #expect(history.dropFirst().map { $0.action.type.string } == types)
    for entry in history.dropFirst() where entry.action.type == "m/own" {
      #expect("\(entry.action.meta.cause)" == "m after-reduce middleware")
      #expect(entry.action.meta.parent == outcome.id)
    }
  }

  @Test func `it comes after observers and navigation mappers, by priority`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "counter.lua": Self.counter,
        "m.lua": """
        return {
          after_reduce = {
            { priority = "low", run = function(a) print("low " .. a.type) end },
            function(a) print("medium " .. a.type) end,
            { priority = "high", on = "counter/*", run = function(a) print("high " .. a.type) end },
          },
          observe = { counter = function() print("observer") end },
          map_navigation = { ["counter/add"] = function() print("mapper") end },
          middleware = function() print("before") end,
        }
        """,
      ])
    notes.clear()
    try await bench.dispatch("counter/add")
    #expect(
      notes.all == [
        "before", "observer", "mapper", "high counter/add", "medium counter/add",
        "low counter/add",
      ])
  }

  @Test func `an action that wasn't carried out isn't seen`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(
      notes,
      [
        "counter.lua": Self.counter,
        "gate.lua":
          "return { middleware = { on = 'counter/add', run = function() return false end } }",
        "m.lua": Self.after("print(action.type)", on: "counter/*"),
      ])
    try await bench.dispatch("counter/add")
    #expect(await bench.failure(of: "counter/note") != nil)
    #expect(notes.all.isEmpty)
  }

  @Test(arguments: [
    ("error('no')", "no"), ("return 5", "an integer, which can't be dispatched"),
    ("return { x = 1 }", "a map, which can't be dispatched"),
    ("return { 'own', 7 }", "an integer, which can't be dispatched"),
  ])
  func `one that fails names the action, and costs its own part`(
    body: String, reason: String
  ) async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "m.lua": Self.after(body).replacing(
        "return { after", with: "return { actions = { own = {} }, after"),
    ])
    let outcome = try await bench.dispatch("counter/add")
    #expect(outcome.summary == ["counter.n 0 → 1"])
    #expect(outcome.followingCount == 0)
    #expect(outcome.faults.map { $0.action?.type } == ["counter/add"])
    #expect("\(outcome.faults[0])".contains(reason), "\(outcome.faults[0])")
    #expect(
      "\(outcome.faults[0])".contains(": after-reduce middleware counter/add of module m failed"))
    #expect(outcome.faults[0].place?.file == "m.lua")
  }

  @Test func `what it defers goes on after the action, and ends with the module`() async throws {
    let bench = try await TaskBench([
      "counter.lua": Self.counter,
      "m.lua": Self.after(
        """
        local moon = require "moonwire"
        return { moon.defer(function(emit)
          moon.sleep(1)
          emit { type = "counter/note", payload = { by = "late" } }
          moon.sleep(100)
        end) }
        """),
    ])
    try await bench.dispatch("counter/add")
    #expect(try await bench.bench.state("counter.by") == nil)
    await bench.pass(1)
    #expect(try await bench.bench.state("counter.by") == "late")
    #expect(await bench.waits() == ["100.0 s"])
    try bench.bench.folder.remove("m.lua")
    await bench.host.reload()
    #expect(await bench.waits().isEmpty)
  }

  @Test func `one that answers each action with another is stopped`() async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "m.lua": Self.after("return { type = 'counter/add' }"),
    ])
    let outcome = try await bench.dispatch("counter/add")
    guard case .tooManyFollowing = outcome.failures.last?.error else {
      Issue.record("\(outcome.failures)")
      return
    }
  }

  @Test func `middleware before the reduce has the session, too`() async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "m.lua": """
      return { middleware = { on = "counter/add", run = function(action, state, self)
        self.dispatch("counter/note", { by = tostring(self.can_route("/x")) })
        return state.counter.n < 1
      end } }
      """,
    ])
    try await bench.dispatch("counter/add")
    #expect(try await bench.state("counter")?.canonicalText == #"{"by":"true","n":1}"#)
    // Dispatched actions are carried out even if the action is dropped.
    try await bench.dispatch("counter/add")
    #expect(
      await bench.host.history(of: bench.session).entries.map { $0.action.type.string } == [
        "counter/add", "counter/note", "counter/add", "counter/note",
      ])
  }

  @Test func `a module in Swift has both`() async throws {
    let notes = Notes()
    let bench = try await Bench(
      ["counter.lua": Self.counter],
      adding: [
        {
          try Module("m") { module in
            module.middleware = [
              Middleware(.exact("counter/add")) { _, _, context in
                try context.dispatch(Action("counter/note", ["by": "swift"]))
                return .pass
              }
            ]
            module.afterReduce = [
              AfterReduce(.family(prefix: "counter/")) { action, before, after, _ in
                notes.add("\(action.type) \(Diff.changes(from: before, to: after).changes.count)")
                return action.type == "counter/add" ? [.route("/x")] : []
              }
            ]
          }
        }
      ])
    try await bench.dispatch("counter/add")
    #expect(notes.all == ["counter/add 1", "counter/note 1"])
    #expect(await bench.titles() == ["X"])
  }

  static let wrong: [(String, ModuleProblem.Reason)] = [
    ("after_reduce = 5", .wrongKind(key: "after_reduce", expected: "a table", found: "a number")),
    (
      "after_reduce = { on = 'a/b' }",
      .wrongKind(key: "after_reduce.run", expected: "a function", found: "nothing")
    ),
    (
      "after_reduce = { on = '/', run = print }", .invalidPattern(key: "after_reduce.on", text: "/")
    ),
    (
      "after_reduce = { { when = 1, run = print } }",
      .unknownKey("after_reduce[1].when", nearest: nil)
    ),
  ]

  @Test(arguments: wrong)
  func `what is wrong with one is said`(text: String, reason: ModuleProblem.Reason) async throws {
    let bench = try await Bench(["m.lua": "return {\n  \(text),\n}"])
    let problems = try #require(try await bench.info("m")?.problems)
    #expect(problems.map(\.reason) == [reason])
    #expect(problems.map(\.place.line) == [2])
  }
}
