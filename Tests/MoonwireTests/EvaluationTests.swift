import Testing

@testable import Moonwire

/// Typed text that waits, with ``Host/evaluate(_:in:within:)``.
@Suite(.timeLimit(.minutes(2))) struct EvaluationTests {
  private static let files = [
    "counter.lua": """
    return {
      state = { count = 0 },
      actions = { add = { by = "integer?" } },
      reducers = { add = function(s, p) s.count = s.count + (p.by or 1) end },
    }
    """
  ]

  /// Evaluates a text, and calls a function when it waits.
  private func evaluate(
    _ text: String, in bench: TaskBench, within time: Duration? = nil,
    whenWaiting: (String) async throws -> Void
  ) async throws -> [EvaluatedValue] {
    let (host, session) = (bench.host, bench.session)
    async let values = host.evaluate(text, in: session, within: time)
    var waits = await bench.waits()
    while waits.first == nil || waits.first == "its turn" {
      await Task.yield()
      waits = await bench.waits()
    }
    try await whenWaiting(waits[0])
    return try await values
  }

  @Test(
    arguments: [
      ("moon.sleep(1) return 'late'", [.value("late")]),
      ("dispatch 'counter/add' moon.sleep(1) return state 'counter.count'", [.value(2)]),
      (
        "moon.sleep(1) dispatch('counter/add', { by = 5 }) return state 'counter.count'",
        [.value(6)]
      ),
      ("coroutine.wrap(function() moon.sleep(1) return 7 end)()", [.value(7)]),
      ("pcall(function() moon.sleep(1) error('no', 0) end)", [.value(false), .value("no")]),
    ] as [(String, [EvaluatedValue])])
  func `text goes on after a wait, and others act meanwhile`(
    text: String, expected: [EvaluatedValue]
  ) async throws {
    let bench = try await TaskBench(Self.files)
    let values = try await evaluate(text, in: bench) { wait in
      #expect(wait == "1.0 s")
      try await bench.dispatch("counter/add")
      await bench.pass(1)
    }
    #expect(values == expected)
    #expect(await bench.waits().isEmpty)
  }

  @Test func `text waits for an action and for a state`() async throws {
    let bench = try await TaskBench(Self.files)
    let taken = try await evaluate("moon.take('counter/*').payload.by", in: bench) { wait in
      #expect(wait == "counter/*")
      try await bench.dispatch("counter/add", ["by": 3])
    }
    #expect(taken == [.value(3)])
    let found = try await evaluate(
      "moon.when('counter.count', function(n) return n > 3 end)", in: bench
    ) { _ in try await bench.dispatch("counter/add") }
    #expect(found == [.value(4)])
  }

  @Test func `text that is cancelled at a wait ends there, and what it has made stays`()
    async throws
  {
    let bench = try await TaskBench(Self.files)
    let fault = await #expect(throws: Fault.self) {
      try await evaluate(
        """
        x = 1
        local guard <close> = setmetatable({}, { __close = function() x = x + 1 end })
        moon.sleep(9)
        x = 100
        """, in: bench
      ) { _ in
        let tasks = await bench.host.taskInfos(of: bench.session)
        await bench.host.cancelTask(tasks[0].id, in: bench.session)
      }
    }
    #expect(fault?.reason == .interrupted)
    #expect(fault?.lastWait == "9.0 s")
    #expect(try await bench.host.evaluate("x", in: bench.session) == [.value(2)])
  }

  @Test func `text ends with its time, and with its session`() async throws {
    let bench = try await TaskBench(Self.files)
    let late = await #expect(throws: Fault.self) {
      try await evaluate("moon.sleep(9)", in: bench, within: .seconds(2)) { _ in
        await bench.pass(2)
      }
    }
    #expect(late?.reason == .lifetimeExceeded(milliseconds: 2000))
    #expect(await bench.faults().isEmpty)
    let closed = await #expect(throws: Fault.self) {
      try await evaluate("moon.sleep(9)", in: bench) { _ in
        await bench.host.closeSession(bench.session)
      }
    }
    #expect(closed?.detail == DispatchError.noSession.description)
  }

  @Test(arguments: [
    ("moon.spawn(print)", "what is typed is one task and starts no others"),
    ("moon.all { print }", "put the code in an effect or a command of a module"),
    ("moon.race { print }", "put the code in an effect or a command of a module"),
    ("table.sort({ 1, 2 }, function() moon.sleep(1) end)", "nothing can wait here"),
  ])
  func `what text can't do is said`(text: String, expected: String) async throws {
    let bench = try await TaskBench(Self.files)
    let fault = await #expect(throws: Fault.self) {
      try await bench.host.evaluate(text, in: bench.session)
    }
    #expect(fault?.description.contains(expected) == true, "\(fault?.description ?? "-")")
    let still = await #expect(throws: Fault.self) {
      try await bench.host.perform { host throws(Fault) in
        _ = try host.evaluate("moon.sleep(1)", in: bench.session)
      }
    }
    #expect(still?.detail == "nothing can wait in the prompt: let an effect do it")
  }
}
