import Testing

@testable import Moonwire

/// A timer whose sleep ends late, since nothing lets its task run.
struct LateTimerTests {
  @Test func `what is due doesn't wait for a sleep that is late`() async throws {
    let time = StillClock()
    var options = Bench.quiet
    options.clock = time.clock
    let bench = try await Bench(
      ["m.lua": TaskBench.module(effect: "moon.sleep(5) tell 'due'")], options: options)
    try await bench.dispatch("m/go")
    time.set(.seconds(5))
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
