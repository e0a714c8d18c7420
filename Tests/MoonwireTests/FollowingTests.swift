import Moonwire
import Testing

/// The actions that follow from an action, and their limits.
@Suite(.timeLimit(.minutes(2))) struct FollowingTests {
  private static let ping = """
    return {
      state = { n = 0 },
      reducers = {
        ["pong/hit"] = function(s) s.n = s.n + 1 end,
        hit = function(s) s.n = s.n + 1 end,
      },
      observe = { ["ping.n"] = function(_, _, self) self.dispatch("pong/hit") end },
    }
    """
  private static let pong = """
    return {
      state = { n = 0 },
      reducers = { hit = function(s) s.n = s.n + 1 end },
      observe = { ["pong.n"] = function(_, _, self) self.dispatch("ping/hit") end },
    }
    """

  @Test func `modules that answer each other forever are stopped, and the host goes on`()
    async throws
  {
    let bench = try await Bench(["ping.lua": Self.ping, "pong.lua": Self.pong])
    let outcome = try await bench.dispatch("ping/hit")
    // Both answer every hit, so the one that continues when the other is stopped is stopped too.
    #expect(outcome.followingCount == 10_002)
    let dropped = outcome.failures.compactMap {
      if case .tooManyFollowing(10_000, let dropped) = $0.error { dropped } else { nil }
    }
    #expect(dropped.count == 2)
    #expect(dropped.reduce(0, +) == 5_000)
    #expect(
      try await bench.events.upTo("dispatch failed").last?.contains(
        "one action has led to more than 10000 others; ") == true)
    try await bench.dispatch("pong/hit")
  }

  @Test func `what follows from an action has a budget of time for all of it`() async throws {
    var options = Bench.quiet
    options.followingBudget = .nanoseconds(1)
    // The watchdog's clock may pause on a busy machine, as it does for a stopped process.
    options.trial.isWatched = false
    let bench = try await Bench(["ping.lua": Self.ping, "pong.lua": Self.pong], options: options)
    let outcome = try await bench.dispatch("ping/hit")
    #expect(outcome.followingCount == 3)
    #expect(
      outcome.failures.map(\.error)
        == Array(repeating: .followingTooLong(max: .nanoseconds(1), dropped: 0), count: 2))
    #expect(try await bench.state("pong.n") == 1)
    try await bench.dispatch("pong/hit")
  }

  @Test func `a slow listener loses its calls, and the owner of the actions none`() async throws {
    var options = Bench.quiet
    options.followingBudget = .milliseconds(1500)
    options.trial.isWatched = false
    options.faultsMax = 0
    let slow: @Sendable () throws -> Module = {
      var module = Module(name: try #require(ModuleName("slow")), state: 0)
      module.reducers = [
        Reducer(.exact("owner/count")) { state, _ in
          let end = ContinuousClock.now + .milliseconds(120)
          while ContinuousClock.now < end {}
          state = .int((state.intValue ?? 0) + 1)
        }
      ]
      return module
    }
    let bench = try await Bench(
      [
        "owner.lua": """
        return { state = { n = 0, done = 0 }, reducers = {
            go = function(s) s.n = 1 end, count = function(s) s.done = s.done + 1 end },
          observe = { ["owner.n"] = function(_, _, self)
            for i = 1, 30 do self.dispatch("count") end
          end } }
        """
      ], options: options, adding: [slow])
    let outcome = try await bench.dispatch("owner/go")
    #expect(outcome.failures.isEmpty)
    #expect(try await bench.state("owner.done") == 30)
    let calls = try await bench.state("slow")?.intValue ?? 0
    #expect(calls < 30)
    #expect(outcome.faults.count == 30 - Int(calls))
    #expect(
      outcome.faults.allSatisfy {
        $0.module == "slow" && $0.reason == .actionTimeSpent(milliseconds: 1500)
      })
  }

  @Test func `more waiting actions than may be are refused where they are dispatched`() async throws
  {
    let bench = try await Bench([
      "m.lua": """
      return {
        state = { n = 0, done = 0 },
        reducers = {
          go = function(s) s.n = s.n + 1 end,
          count = function(s) s.done = s.done + 1 end,
        },
        observe = { ["m.n"] = function(_, _, self)
          for i = 1, 10001 do
            self.dispatch("count")
          end
        end },
      }
      """
    ])
    let outcome = try await bench.dispatch("m/go")
    #expect(
      outcome.faults.map(\.summary)
        == [
          "m observer m.n m.lua:9 raised(\"10000 actions are waiting already: this one wasn't taken\")"
        ])
    #expect(try await bench.state("m.done") == 10_000)
  }

  @Test func `an action that follows and fails is told, and the dispatched one stays`() async throws
  {
    let bench = try await Bench([
      "m.lua": """
      return {
        state = { n = 0 },
        reducers = {
          go = function(s) s.n = 1 end,
          bad = function(s) s.n = 2 error("no") end,
          after = function(s) s.m = 3 end,
        },
        observe = { ["m.n"] = function(_, _, self)
          self.dispatch("bad")
          self.dispatch("after")
        end },
      }
      """
    ])
    let outcome = try await bench.dispatch("m/go")
    #expect(outcome.summary == ["m.m - → 3", "m.n 0 → 1"])
    #expect(
      outcome.failures.map { "\($0.action.type) \($0.error.summary)" }
        == ["m/bad m reducer m/bad m.lua:5 raised(\"no\")"])
    #expect(
      try await bench.events.upTo("dispatch failed").last
        == "dispatch failed session 1 m/bad: m reducer m/bad m.lua:5 raised(\"no\")")
    #expect(await bench.history() == ["m/go ok", "m/bad failed", "m/after ok"])
  }

  @Test(arguments: [
    ("self.dispatch('m/god')", "no module knows the action m/god; did you mean m/go?"),
    ("self.dispatch('a b')", "dispatch takes the type of an action"),
    ("self.dispatch({ payload = 1 })", "dispatch takes the type of an action"),
    ("self.dispatch(nil)", "dispatch takes the type of an action"),
    (
      "self.dispatch('add', { by = 'x' })",
      "the payload doesn't fit m/add: 'by' must be integer, not a string"
    ),
    ("self.dispatch('add', { by = 1, f = print })", "a function"),
  ])
  func `what can't be dispatched is an error where it is tried`(
    call: String, sentence: String
  ) async throws {
    let bench = try await Bench([
      "m.lua": """
      return {
        state = { n = 0 },
        actions = { add = { by = "integer" } },
        reducers = { go = function(s) s.n = s.n + 1 end },
        observe = { ["m.n"] = function(_, _, self)
          \(call)
        end },
      }
      """
    ])
    let outcome = try await bench.dispatch("m/go")
    #expect(outcome.failures.isEmpty)
    #expect(outcome.followingCount == 0)
    #expect(outcome.faults.map(\.place) == [SourcePlace(file: "m.lua", line: 6)])
    guard case .raised(let text) = outcome.faults.first?.reason else { return }
    #expect(text.contains(sentence), "\(text)")
  }
}
