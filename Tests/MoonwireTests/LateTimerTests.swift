import Synchronization
import Testing

@testable import Moonwire

/// A timer whose sleep ends late, since nothing lets its task run.
struct LateTimerTests {
  @Test func `what is due doesn't wait for a sleep that is late`() async throws {
    let clock = LateClock()
    var options = Bench.quiet
    options.clock = Clock(timer: clock.timer) { 1000 }
    let bench = try await Bench(
      ["m.lua": TaskBench.module(effect: "moon.sleep(5) tell 'due'")], options: options)
    try await bench.dispatch("m/go")
    clock.pass(.seconds(5))
    // As for any task that is ready now.
    await bench.host.perform { $0.sessions.timer.requestWake(at: .seconds(5)) }
    var told: Value?
    for _ in 0..<100_000 where told != ["due"] {
      await Task.yield()
      told = try await bench.state("m.told")
    }
    #expect(told == ["due"])
  }
}

/// A clock that only the test advances, and whose sleeps end when they are cancelled.
private final class LateClock: Sendable {
  private let elapsed = Mutex(Duration.zero)

  var timer: Clock.Timer {
    Clock.Timer(
      now: { [self] in elapsed.withLock { $0 } },
      sleep: { _ in
        for await _ in AsyncStream(Void.self, { _ in }) {}
        throw CancellationError()
      })
  }

  func pass(_ time: Duration) { elapsed.withLock { $0 += time } }
}
