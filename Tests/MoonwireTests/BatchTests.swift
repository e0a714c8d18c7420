import Moonwire
import Testing

/// Several actions that are carried out as one.
@Suite(.timeLimit(.minutes(2))) struct BatchTests {
  private static let a = """
    return {
      state = { n = 0 }, actions = { add = { by = "integer?" }, fail = {}, go = {} },
      reducers = {
        add = function(s, p) s.n = s.n + (p.by or 1) end, fail = function() error("no") end,
      },
      routes = { ["/x"] = { option = "push", screen = function() return { title = "X" } end } },
    }
    """
  private static let b = """
    return {
      state = { seen = 0 }, actions = { start = {} },
      reducers = { ["a/add"] = function(s) s.seen = s.seen + 1 end },
      observe = { { paths = { "a", "b" }, run = function(new)
        print(new[1].n .. " " .. new[2].seen)
      end } },
    }
    """

  private func bench(_ notes: Notes, go body: String) async throws -> Bench {
    try await .noting(
      notes,
      [
        "a.lua": Self.a, "b.lua": Self.b,
        "c.lua": "return { map_navigation = { ['a/go'] = function(_, _, self) \(body) end } }",
      ])
  }

  @Test func `a list is one commit, and observers are told once`() async throws {
    let notes = Notes()
    let bench = try await bench(
      notes, go: "self.dispatch { { type = 'a/add' }, { type = 'a/add', payload = { by = 5 } } }")
    let outcome = try await bench.dispatch("a/go")
    #expect(outcome.summary == ["a.n 0 → 6", "b.seen 0 → 2"])
    #expect(notes.all == ["6 2"])
    let entries = await bench.host.history(of: bench.session).entries
    #expect(entries.map { $0.action.meta.id } == [1, 2, 3])
    #expect(entries.dropFirst().map { $0.action.meta.parent } == [1, 1])
  }

  @Test(arguments: [
    "self.dispatch { { type = 'a/add' }, { type = 'a/fail' } }",
    "self.dispatch { { type = 'a/add' }, '/x' , }",
    "self.dispatch { { type = 'a/add' }, { type = 'nav/pop_to', payload = { id = 'none' } } }",
  ])
  func `all are carried out, or none`(body: String) async throws {
    let notes = Notes()
    let bench = try await bench(notes, go: body)
    let outcome = try await bench.dispatch("a/go")
    #expect(outcome.summary.isEmpty)
    #expect(outcome.failures.count + outcome.faults.count == 1)
    #expect(notes.all.isEmpty)
  }

  @Test func `navigation is part of it`() async throws {
    let notes = Notes()
    let bench = try await bench(
      notes,
      go: "self.dispatch { { type = 'a/add' }, require('moonwire').route('/x'), 'a/add' }")
    try await bench.dispatch("a/go")
    #expect(await bench.titles() == ["X"])
    #expect(notes.all == ["2 2"])
  }

  @Test(arguments: [
    ("self.dispatch {}", nil),
    ("self.dispatch { 5 }", "number 1 of them is none"),
    ("self.dispatch { 'a/add', { x = 1 } }", "number 2 of them is none"),
    ("self.dispatch({ 'a/add' }, { by = 1 })", "dispatch takes the type of an action"),
    ("self.dispatch { 'a/add', 'a/ad' }", "no module knows the action a/ad"),
    ("self.dispatch { 'a/add', { type = 'a/add', payload = { by = 'x' } } }", "'by' must be"),
    (
      "local all = {} for i = 1, 257 do all[i] = 'a/add' end self.dispatch(all)",
      "257 actions can't be carried out as one: 256 can"
    ),
  ])
  func `what can't be taken is said where it is dispatched`(
    body: String, reason: String?
  ) async throws {
    let bench = try await bench(Notes(), go: body)
    let outcome = try await bench.dispatch("a/go")
    #expect(outcome.summary.isEmpty)
    #expect(outcome.faults.map { "\($0)".contains(reason ?? "") } == (reason == nil ? [] : [true]))
  }

  @Test func `a program and a module in Swift dispatch several as one, too`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(notes, ["a.lua": Self.a, "b.lua": Self.b])
    let outcome = try await bench.host.dispatch(
      [Action("a/add"), Action("a/add", ["by": 2])], to: bench.session)
    #expect(outcome.summary == ["a.n 0 → 3", "b.seen 0 → 2"])
    #expect(notes.all == ["3 2"])
    await #expect(throws: DispatchError.self) {
      try await bench.host.dispatch([Action("a/add"), Action("a/fail")], to: bench.session)
    }
    #expect(try await bench.state("a.n") == 3)
    #expect(try await bench.host.dispatch([Action](), to: bench.session).summary.isEmpty)
    await #expect(throws: DispatchError.batchTooLong(count: 300, max: 256)) {
      try await bench.host.dispatch(
        Array(repeating: Action("a/add"), count: 300), to: bench.session)
    }
  }

  @Test func `each of a list counts among what may follow`() async throws {
    let bench = try await bench(
      Notes(),
      go: """
        local all = {} for i = 1, 200 do all[i] = 'a/add' end
        for i = 1, 100 do self.dispatch(all) end
        """)
    let outcome = try await bench.dispatch("a/go")
    guard case .tooManyFollowing = outcome.failures.last?.error else {
      Issue.record("\(outcome.failures.count)")
      return
    }
    #expect(try await bench.state("a.n") == 10_000)
  }

  @Test func `text at the prompt dispatches a list as one`() async throws {
    let notes = Notes()
    let bench = try await Bench.noting(notes, ["a.lua": Self.a, "b.lua": Self.b])
    _ = try await bench.host.evaluate("dispatch { 'a/add', 'a/add' }", in: bench.session)
    #expect(notes.all == ["2 2"])
  }
}
