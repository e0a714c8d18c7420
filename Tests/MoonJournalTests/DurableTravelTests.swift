import MoonJournal
import MoonTestSupport
import Moonwire
import Testing

/// Durable effects of sessions that go back in time.
@Suite(.timeLimit(.minutes(2))) struct DurableTravelTests {
  /// A task that has noted `a` when it is held.
  private func bench() throws -> DurableBench {
    try DurableBench(
      DurableEffectTests.module(#"note("a") ask("held") note("b") ask("c") note("d")"#))
  }

  /// Runs the task until it is held, and then a body.
  private func run(
    _ bench: DurableBench, _ body: (Host, SessionID) async throws -> Void
  ) async throws {
    bench.shop.holdBack("held")
    try await bench.run { host, session in
      try await host.dispatch(Action("orders/place"), to: session)
      await bench.shop.waitUntilAsked("held")
      try await body(host, session)
    }
    bench.shop.release()
  }

  @Test func `a task stands still with its session, and goes on with it`() async throws {
    let bench = try bench()
    try await run(bench) { host, session in
      try await host.travel(to: .back(1), in: session)
      bench.shop.answerHeld()
      #expect(await DurableBench.steps(of: session, on: host) == [])
      #expect(await host.taskInfos(of: session).count == 1)
      try await host.travel(to: .present, in: session)
      _ = await host.waitForTasks(in: session, within: .seconds(30))
      #expect(await DurableBench.steps(of: session, on: host) == ["a", "b", "d"])
    }
    #expect(bench.shop.keys(of: "held").count == 1)
    #expect(try await bench.steps() == ["a", "b", "d"])
  }

  @Test func `a program that is killed in the past goes on in the present`() async throws {
    let bench = try bench()
    try await run(bench) { host, session in
      try await host.travel(to: .back(1), in: session)
      bench.shop.answerHeld()
    }
    #expect(try await bench.steps() == ["a", "b", "d"])
    // The answer wasn't kept, since nothing is while the session stands still.
    #expect(bench.shop.keys(of: "held").count == 2)
    #expect(Set(bench.shop.keys(of: "held")).count == 1)
  }

  @Test(arguments: [false, true])
  func `a task whose beginning is forgotten is over`(isKilled: Bool) async throws {
    let bench = try bench()
    try await run(bench) { host, session in
      try await host.travel(to: .position(0), in: session)
      try await host.carryOut(.cut, in: session)
      #expect(await host.taskInfos(of: session).isEmpty)
      guard !isKilled else { return }
      bench.shop.answerHeld()
      try await host.dispatch(Action("orders/go"), to: session)
      #expect(await DurableBench.steps(of: session, on: host) == [])
    }
    #expect(try await bench.steps() == [])
    #expect(bench.shop.keys(of: "held").count == 1)
  }

  @Test(arguments: [false, true])
  func `what a task dispatched isn't dispatched again once it is forgotten`(
    isKilled: Bool
  ) async throws {
    let bench = try bench()
    try await run(bench) { host, session in
      try await host.travel(to: .back(1), in: session)
      try await host.carryOut(.cut, in: session)
      #expect(await host.taskInfos(of: session).count == 1)
      guard !isKilled else { return }
      bench.shop.answerHeld()
      _ = await host.waitForTasks(in: session, within: .seconds(30))
      #expect(await DurableBench.steps(of: session, on: host) == ["b", "d"])
    }
    #expect(try await bench.steps() == ["b", "d"])
  }
}
