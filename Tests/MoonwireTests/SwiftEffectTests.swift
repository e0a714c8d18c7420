import Moonwire
import Testing

/// Effects that are functions in Swift.
@Suite(.timeLimit(.minutes(2))) struct SwiftEffectTests {
  private static func module(
    _ notes: Notes,
    _ effect: @escaping @Sendable (Action, EffectContext) async throws -> Void
  ) -> @Sendable () throws -> Module {
    {
      try Module("m", state: ["n": 0]) { module in
        module.actions = [ActionDeclaration("ping")]
        module.reducers = [
          Reducer(.exact("m/set")) { state, action in state = ["n": action.payload["n"] ?? 0] }
        ]
        module.effects = [
          Effect(.exact("m/go")) { action, context in
            do {
              try await effect(action, context)
              notes.add("done")
            } catch {
              notes.add("\(error)")
              throw error
            }
          }
        ]
      }
    }
  }

  /// Waits until a task of the session waits.
  private func until(_ bench: TaskBench, _ wait: String) async {
    while await !bench.waits().contains(wait) { await Task.yield() }
  }

  private func untilDone(_ bench: TaskBench) async {
    while await !bench.waits().isEmpty { await Task.yield() }
  }

  @Test func `it dispatches, sleeps, takes and looks at the state on the same terms`() async throws
  {
    let notes = Notes()
    let bench = try await TaskBench(adding: [
      Self.module(notes) { action, context in
        notes.add("\(action.payload["x"] ?? .null)")
        try await context.dispatch(Action("m/set", ["n": 5]))
        notes.add("\(try await context.slice["n"] ?? .null)")
        try await context.sleep(for: .seconds(2))
        notes.add("\(try await context.take(.exact("m/ping"))["type"] ?? .null)")
        let path = try Path(parsing: "m.n")
        notes.add("\(try await context.when(path) { $0 == 9 } ?? .null)")
      }
    ])
    try await bench.go(["x": 1])
    await until(bench, "2.0 s")
    await bench.pass(2)
    await until(bench, "m/ping")
    try await bench.dispatch("m/ping")
    await until(bench, "a change of m.n")
    try await bench.dispatch("m/set", ["n": 9])
    await untilDone(bench)
    #expect(notes.all == ["1", "5", "\"m/ping\"", "9", "done"])
    let set = await bench.host.history(of: bench.session).entries.first {
      $0.action.type == "m/set"
    }
    #expect(set?.action.meta.cause == .module("m", .effect))
    #expect(set?.action.meta.parent == 1)
  }

  @Test func `an error that it throws is a fault`() async throws {
    struct Broken: Error {}
    let notes = Notes()
    let bench = try await TaskBench(adding: [Self.module(notes) { _, _ in throw Broken() }])
    try await bench.go()
    await untilDone(bench)
    #expect(try await bench.bench.events.upTo("fault").last?.contains("m effect m/go") == true)
  }

  @Test func `cancelling it ends its waits`() async throws {
    let notes = Notes()
    let bench = try await TaskBench(adding: [
      Self.module(notes) { _, context in try await context.sleep(for: .seconds(9)) }
    ])
    try await bench.go()
    await until(bench, "9.0 s")
    #expect(await bench.host.cancelTask(TaskID(1), in: bench.session))
    #expect(await bench.waits().isEmpty)
    while notes.all.isEmpty { await Task.yield() }
    #expect(notes.all == ["CancellationError()"])
    #expect(await bench.faults().isEmpty)
  }

  @Test func `a wait in a child of its own is cancelled with the child`() async throws {
    let notes = Notes()
    let bench = try await TaskBench(adding: [
      Self.module(notes) { _, context in
        async let _: Void = context.sleep(for: .seconds(9))
        try await context.sleep(for: .seconds(1))
      }
    ])
    try await bench.go()
    await until(bench, "9.0 s")
    await until(bench, "1.0 s")
    await bench.pass(1)
    await untilDone(bench)
    #expect(notes.all == ["done"])
  }

  @Test func `what a closed session's effect asks for is cancelled`() async throws {
    let notes = Notes()
    let bench = try await TaskBench(adding: [
      Self.module(notes) { _, context in
        _ = try? await context.sleep(for: .seconds(9))
        try await context.dispatch(Action("m/ping"))
      }
    ])
    try await bench.go()
    await until(bench, "9.0 s")
    await bench.host.closeSession(bench.session)
    while notes.all.isEmpty { await Task.yield() }
    #expect(notes.all == ["CancellationError()"])
  }

  /// Does something while a program asks the host for something all the time.
  private func besideCalls<R>(of host: Host, _ body: () async throws -> R) async rethrows -> R {
    let calls = (0..<4).map { _ in
      Task { while !Task.isCancelled { await host.perform { _ in } } }
    }
    defer { for call in calls { call.cancel() } }
    return try await body()
  }

  @Test func `it sees what it has dispatched, also if the host has other calls`() async throws {
    let notes = Notes()
    let bench = try await TaskBench(adding: [
      Self.module(notes) { _, context in
        for number in 1...50 {
          try await context.dispatch(Action("m/set", ["n": .int(Int64(number))]))
          let seen = try await context.slice["n"]
          if seen != .int(Int64(number)) { notes.add("\(number) is \(seen ?? .null)") }
        }
      }
    ])
    try await besideCalls(of: bench.host) {
      try await bench.go()
      await untilDone(bench)
    }
    #expect(notes.all == ["done"])
  }

  @Test func `its fault is told to those who wait, also if the host has other calls`() async throws
  {
    struct Broken: Error {}
    let notes = Notes()
    var options = Bench.quiet
    options.faultsMax = 0
    let bench = try await TaskBench(
      options: options, adding: [Self.module(notes) { _, _ in throw Broken() }])
    try await besideCalls(of: bench.host) {
      for _ in 0..<50 {
        try await bench.host.dispatch(Action("m/go"), to: bench.session)
        let results = await bench.host.waitForTasks(in: bench.session, within: .seconds(30))
        #expect(results.faults.count == 1)
      }
    }
  }
}
