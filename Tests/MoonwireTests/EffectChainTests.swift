import MoonTestSupport
import Moonwire
import Testing

/// The limit on effects that follow from one another.
///
/// Invariant 15: chains of effects are counted and stopped.
@Suite(.timeLimit(.minutes(5))) struct EffectChainTests {
  private static func module(_ effects: String) -> [String: String] {
    [
      "m.lua": """
      local moon = require "moonwire"
      return { state = { n = 0 }, reducers = {
          ping = function(s) s.n = s.n + 1 end, pong = function() end, go = function() end },
        effects = { \(effects) } }
      """
    ]
  }

  /// Returns what is wrong with tasks until nothing goes on by itself.
  private func complaints(_ bench: TaskBench) async -> [String] {
    var complaints: [String] = []
    for _ in 1...30_000 where complaints.isEmpty {
      await bench.pass(0)
      // Before the look at what was told, which may be the last thing that happens.
      let isAtRest = await bench.host.isAtRest(in: bench.session)
      let work = await bench.host.waitForTasks(in: bench.session, within: .zero)
      complaints = work.faults.map(\.description) + work.failures.map { "\($0.error)" }
      if isAtRest { break }
    }
    return complaints
  }

  @Test(arguments: [
    // With a pause that is none, by listening, through a state, with a timer, and by spawning.
    "ping = function(_, self) moon.sleep(0) self.dispatch 'pong' end, "
      + "pong = function(_, self) moon.sleep(0) self.dispatch 'ping' end",
    "go = function(_, self) moon.spawn(function() self.dispatch 'ping' end) "
      + "while true do moon.take 'm/pong' pcall(self.dispatch, 'ping') end end, "
      + "ping = function(_, self) self.dispatch 'pong' end",
    "go = function(_, self) local n = 0 while true do self.dispatch 'ping' "
      + "n = moon.when('m.n', function(m) return m > n end) end end",
    "ping = function(_, self) self.after(0, 'ping') end",
    "go = function() local function again() moon.spawn(again) end again() end",
  ])
  func `effects that only answer each other are stopped`(effects: String) async throws {
    let bench = try await TaskBench(Self.module(effects))
    let first = effects.hasPrefix("ping") ? "m/ping" : "m/go"
    let outcome = try await bench.dispatch(first)
    let said = outcome.faults.map(\.description) + (await complaints(bench))
    // A script that swallows the error has nothing left to answer.
    if !effects.contains("pcall") {
      #expect(said.contains { $0.contains("without waiting for time") }, "\(said.prefix(3))")
    }
    let state = try await bench.bench.state("m.n")
    await bench.pass(0)
    #expect(try await bench.bench.state("m.n") == state, "it has come to rest")
  }

  @Test func `an effect that rests may repeat itself for ever`() async throws {
    let bench = try await TaskBench(
      Self.module("ping = function(_, self) moon.sleep(0.001) self.dispatch 'ping' end"))
    try await bench.dispatch("m/ping")
    for _ in 0..<11_000 { await bench.pass(0.001) }
    #expect(try await bench.bench.state("m.n") == 11_001)
    #expect(await bench.faults().isEmpty)
  }

  @Test func `an effect that answers people isn't counted`() async throws {
    let bench = try await TaskBench(
      Self.module(
        "go = function(_, self) while true do moon.take 'm/pong' "
          + "pcall(moon.timeout, 1, function() self.dispatch 'ping' end) end end"))
    try await bench.dispatch("m/go")
    for _ in 0..<11_000 { try await bench.dispatch("m/pong") }
    #expect(try await bench.bench.state("m.n") == 11_000)
    #expect(await bench.faults().isEmpty)
  }
}
