import MoonTestSupport
import Moonwire
import Testing

/// Modules whose code is ended, and what continues.
@Suite(.timeLimit(.minutes(2))) struct RestartTests {
  private static var impatient: HostOptions {
    var options = Bench.quiet
    options.budgets = Budgets(all: .milliseconds(100))
    return options
  }

  private static let looping = """
    local calls = 0
    return {
      state = { n = 0 },
      reducers = {
        add = function(s) calls = calls + 1 s.n = s.n + 1 s.calls = calls end,
        loop = function(s)
          s.n = 100
          while true do end
        end,
        trap = function(s)
          while true do pcall(function() while true do end end) end
        end,
      },
    }
    """

  @Test(arguments: ["a/loop", "a/trap"])
  func `a reducer in an endless loop is ended and its module starts again`(
    type: String
  ) async throws {
    let bench = try await Bench(
      ["a.lua": Self.looping, "b.lua": ReloaderTests.counter(1)], options: Self.impatient)
    try await bench.dispatch("a/add")
    try await bench.dispatch("b/add")
    try bench.folder.save("a.lua", "return { broken")
    guard case .fault(let fault) = await bench.failure(of: type) else {
      Issue.record("no fault")
      return
    }
    #expect(fault.reason == .timedOut(milliseconds: 100))
    #expect(fault.place?.file == "a.lua")
    #expect(try await bench.events.upTo("restarted").last == "restarted a 2")
    #expect(try await bench.state("a.n") == 1)
    // A new machine from the sources of the old one, whatever the file contains now.
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a") == ["n": 2, "calls": 1])
    try await bench.dispatch("b/add")
    #expect(try await bench.state("b.n") == 2)
    #expect(try await bench.info("a")?.generation == 2)
  }

  @Test func `an observer that is ended leaves its module at work for what follows`() async throws {
    let bench = try await Bench(
      [
        "a.lua": """
        return {
          state = { n = 0, heard = 0 },
          reducers = {
            add = function(s) s.n = s.n + 1 end,
            hear = function(s) s.heard = s.heard + 1 end,
          },
          observe = { ["a.n"] = function(_, _, self)
            self.dispatch("hear")
            while true do end
          end },
        }
        """
      ], options: Self.impatient)
    let outcome = try await bench.dispatch("a/add")
    #expect(outcome.faults.map(\.reason) == [.timedOut(milliseconds: 100)])
    #expect(outcome.failures.isEmpty)
    #expect(try await bench.state("a") == ["n": 1, "heard": 1])
    #expect(try await bench.events.upTo("restarted").last == "restarted a 2")
  }

  @Test(arguments: ["on_start", "on_stop"])
  func `a hook that is ended doesn't hold up the others`(hook: String) async throws {
    let bench = try await Bench(
      [
        "a.lua": "return { state = {}, \(hook) = function() while true do end end }",
        "b.lua": ReloaderTests.counter(1),
      ], options: Self.impatient)
    try await bench.dispatch("b/add")
    await bench.host.closeSession(bench.session)
    #expect(
      try await bench.events.upTo("fault").last
        == "fault session 1 a \(hook) \(hook) a.lua:1 timedOut(milliseconds: 100)")
  }

  @Test func `a middleware that is ended fails the action`() async throws {
    let bench = try await Bench(
      [
        "a.lua": """
        return { middleware = { on = "b/add", run = function(action)
          if action.payload.slow then while true do end end
        end } }
        """,
        "b.lua": ReloaderTests.counter(1),
      ], options: Self.impatient)
    guard case .fault(let fault) = await bench.failure(of: "b/add", ["slow": true]) else { return }
    #expect(fault.reason == .timedOut(milliseconds: 100))
    #expect(fault.registration.kind == .middleware)
    try await bench.dispatch("b/add")
    #expect(try await bench.state("b.n") == 1)
  }

  @Test func `a file in an endless loop is a problem, and the others are loaded`() async throws {
    let bench = try await Bench(
      ["a.lua": "while true do end", "b.lua": ReloaderTests.counter(1)], following: .yes,
      options: Self.impatient)
    #expect(
      try await bench.events.upTo("failed").last
        == "failed a running none: a.lua:1 timedOut(milliseconds: 100)")
    try await bench.dispatch("b/add")
    try bench.folder.save("a.lua", ReloaderTests.counter(1))
    try await bench.events.upTo("started a 1")
    try bench.folder.save("b.lua", "local x = 1\nrepeat until not x")
    #expect(
      try await bench.events.upTo("failed").last
        == "failed b running 1: b.lua:2 timedOut(milliseconds: 100)")
    try await bench.dispatch("b/add")
    #expect(try await bench.state("b.n") == 2)
  }

  @Test func `a migrate in an endless loop leaves the old generation in service`() async throws {
    let bench = try await Bench(["a.lua": ReloaderTests.counter(1)], options: Self.impatient)
    try bench.folder.save(
      "a.lua", "return { version = 2, migrate = function() while true do end end }")
    #expect(
      await bench.host.reload().map(\.summary)
        == ["failed a running 1: a.lua:1 timedOut(milliseconds: 100)"])
    try await bench.dispatch("a/add")
  }

  @Test func `what runs is stopped from another thread, and the host goes on`() async throws {
    let bench = try await Bench([
      "a.lua": """
      return {
        state = { n = 0 },
        reducers = {
          add = function(s) s.n = s.n + 1 end,
          loop = function(s) print("looping") while true do end end,
        },
      }
      """
    ])
    let host = bench.host
    let stopper = Task.detached {
      // Repeated until there is something to stop.
      while !Task.isCancelled, !host.interrupt() { await Task.yield() }
    }
    guard case .fault(let fault) = await bench.failure(of: "a/loop") else {
      Issue.record("no fault")
      return
    }
    await stopper.value
    #expect(fault.reason == .interrupted)
    try await bench.events.upTo("restarted a 2")
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 1)
  }

  @Test func `stopping drops the actions that wait`() async throws {
    let bench = try await Bench([
      "a.lua": """
      return {
        state = { n = 0, done = 0 },
        reducers = {
          go = function(s) s.n = s.n + 1 end,
          loop = function() while true do end end,
          count = function(s) s.done = s.done + 1 end,
        },
        observe = { ["a.n"] = function(_, _, self)
          self.dispatch("loop")
          for i = 1, 10 do self.dispatch("count") end
        end },
      }
      """
    ])
    let host = bench.host
    let stopper = Task.detached {
      while !Task.isCancelled, !host.interrupt() { await Task.yield() }
    }
    let outcome = try? await bench.dispatch("a/go")
    // Between two calls it stops the work without ending a call, and the loop would continue.
    stopper.cancel()
    await stopper.value
    // The first action may have been interrupted already; then it changed nothing.
    if let outcome {
      #expect(outcome.failures.last?.error == .interrupted || outcome.faults.count == 1)
    }
    #expect(try await bench.state("a.done") == 0)
    try await bench.dispatch("a/count")
    #expect(try await bench.state("a.done") == 1)
  }

  @Test func `stopping where nothing runs stops nothing that comes later`() async throws {
    let bench = try await Bench(["a.lua": ReloaderTests.counter(1)])
    #expect(!bench.host.interrupt())
    try await bench.dispatch("a/add")
    #expect(try await bench.state("a.n") == 1)
  }
}
