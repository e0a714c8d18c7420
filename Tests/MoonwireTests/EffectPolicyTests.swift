import MoonTestSupport
import Moonwire
import Testing

/// Policies and paces of effects.
@Suite(.timeLimit(.minutes(2))) struct EffectPolicyTests {
  /// Makes a bench whose effect `m/ruled` tells of its beginning and, a second later, of its end.
  private static func bench(
    _ rule: String, options: HostOptions = Bench.quiet
  ) async throws -> TaskBench {
    try await TaskBench(
      effect: "",
      more: """
        ruled = { \(rule), run = function(p, self)
          local function tell(text) self.dispatch("tell", { text = text .. p.n }) end
          local closing <close> = setmetatable({}, { __close = function(_, e) tell("-") end })
          tell("begin ") moon.sleep(1) tell("end ")
        end }
        """, options: options)
  }

  private func dispatch(_ bench: TaskBench, _ numbers: ClosedRange<Int>) async throws {
    for n in numbers { try await bench.dispatch("m/ruled", ["n": .string(Text("\(n)"))]) }
  }

  @Test(arguments: [
    (
      "policy = 'every'",
      ["begin 1", "begin 2", "begin 3", "end 1", "-1", "end 2", "-2", "end 3", "-3"]
    ),
    ("policy = 'latest'", ["begin 1", "-1", "begin 2", "-2", "begin 3", "end 3", "-3"]),
    ("policy = 'first'", ["begin 1", "end 1", "-1"]),
    (
      "policy = 'queue'",
      ["begin 1", "end 1", "-1", "begin 2", "end 2", "-2", "begin 3", "end 3", "-3"]
    ),
  ])
  func `a policy says what becomes of actions while the effect runs`(
    rule: String, told: [String]
  ) async throws {
    let bench = try await Self.bench(rule)
    try await dispatch(bench, 1...3)
    for _ in 1...4 { await bench.pass(1) }
    #expect(try await bench.told() == told)
    #expect(await bench.waits().isEmpty)
    #expect(await bench.faults().isEmpty)
  }

  @Test(arguments: ["every", "latest", "first", "queue"])
  func `after its end the effect runs again`(policy: String) async throws {
    let bench = try await Self.bench("policy = '\(policy)'")
    for n in 1...2 {
      try await dispatch(bench, n...n)
      await bench.pass(1)
    }
    #expect(try await bench.told() == ["begin 1", "end 1", "-1", "begin 2", "end 2", "-2"])
  }

  @Test(arguments: ["every", "latest", "first", "queue"])
  func `an effect that never waits is never in the way`(policy: String) async throws {
    let bench = try await TaskBench(
      effect: "",
      more: "ruled = { policy = '\(policy)', run = function(p, self) "
        + "self.dispatch('tell', { text = p.n }) end }")
    try await dispatch(bench, 1...3)
    #expect(try await bench.told() == ["1", "2", "3"])
  }

  @Test func `debounce waits for a pause, and starts with the last action`() async throws {
    let bench = try await Self.bench("debounce = 0.5")
    try await dispatch(bench, 1...1)
    await bench.pass(0.4)
    try await dispatch(bench, 2...3)
    await bench.pass(0.4)
    #expect(try await bench.told() == [])
    #expect(await bench.waits() == ["its start in 500 ms"])
    await bench.pass(0.1)
    #expect(try await bench.told() == ["begin 3"])
    await bench.pass(1)
    #expect(try await bench.told() == ["begin 3", "end 3", "-3"])
  }

  @Test func `throttle starts at once, then once in a time with the last action`() async throws {
    let bench = try await Self.bench("throttle = 2")
    try await dispatch(bench, 1...3)
    #expect(try await bench.told() == ["begin 1"])
    await bench.pass(1)
    try await dispatch(bench, 4...4)
    await bench.pass(1)
    #expect(try await bench.told() == ["begin 1", "end 1", "-1", "begin 4"])
    try await dispatch(bench, 5...5)
    await bench.pass(2)
    #expect(try await bench.told().suffix(3) == ["end 4", "-4", "begin 5"])
    await bench.pass(2)
    try await dispatch(bench, 6...6)
    #expect(try await bench.told().last == "begin 6")
  }

  @Test func `a policy applies to starts that a pace delayed`() async throws {
    let bench = try await Self.bench("debounce = 0.5, policy = 'latest'")
    try await dispatch(bench, 1...2)
    await bench.pass(0.5)
    try await dispatch(bench, 3...3)
    await bench.pass(0.5)
    #expect(try await bench.told() == ["begin 2", "-2", "begin 3"])
    let first = try await Self.bench("debounce = 0.5, policy = 'first'")
    try await dispatch(first, 1...1)
    await first.pass(0.5)
    try await dispatch(first, 2...2)
    await first.pass(0.5)
    await first.pass(5)
    #expect(try await first.told() == ["begin 1", "end 1", "-1"])
  }

  @Test func `one action too many for a queue is a fault that names the limit`() async throws {
    let bench = try await Self.bench("policy = 'queue'")
    try await dispatch(bench, 0...EffectPolicy.queuedMax)
    #expect(await bench.faults().isEmpty)
    let outcome = try await bench.dispatch("m/ruled", ["n": "7"])
    let fault = try #require(outcome.faults.first)
    #expect(fault.detail == "1000 actions wait for effect m/ruled already")
    #expect(fault.action?.type == "m/ruled")
  }

  @Test func `tasks that wait for their turn are listed, and can be cancelled`() async throws {
    let bench = try await Self.bench("policy = 'queue'")
    try await dispatch(bench, 1...3)
    #expect(await bench.waits() == ["1.0 s", "its turn", "its turn"])
    let tasks = await bench.host.taskInfos(of: bench.session)
    #expect(await bench.host.cancelTask(tasks[1].id, in: bench.session))
    #expect(await bench.host.cancelTask(tasks[0].id, in: bench.session))
    #expect(try await bench.told() == ["begin 1", "-1", "begin 3"])
  }

  @Test(arguments: ["policy = 'queue'", "debounce = 1", "throttle = 1"])
  func `a reload ends the tasks that haven't begun, and those after it begin anew`(
    rule: String
  ) async throws {
    let bench = try await Self.bench(rule)
    try await dispatch(bench, 1...3)
    await bench.host.reload()
    #expect(await bench.waits().isEmpty)
    await bench.pass(5)
    let before = try await bench.told()
    try await dispatch(bench, 4...4)
    await bench.pass(1)
    #expect(try await bench.told().dropFirst(before.count).first == "begin 4")
    #expect(await bench.faults().isEmpty)
  }

  @Test func `effects of one pattern in two modules have policies of their own`() async throws {
    let file = """
      local moon = require "moonwire"
      return { state = { n = 0 }, reducers = { inc = function(s) s.n = s.n + 1 end },
        effects = { ["x/go"] = { policy = "first", run = function(_, self)
          self.dispatch("inc") moon.sleep(1) end } } }
      """
    let bench = try await TaskBench([
      "a.lua": file, "b.lua": file, "x.lua": "return { reducers = { go = function() end } }",
    ])
    for _ in 1...3 { try await bench.dispatch("x/go") }
    #expect(try await bench.bench.state("a.n") == 1)
    #expect(try await bench.bench.state("b.n") == 1)
  }

  @Test(arguments: [
    ("{ policy = 'last', run = f }", "policy of module m is \"last\", and must be \"every\""),
    ("{ policy = 1, run = f }", "policy of module m is a number, and must be a string"),
    (
      "{ debounce = 'soon', run = f }",
      "debounce of module m is a string, and must be a number of seconds"
    ),
    ("{ debounce = 0, run = f }", "debounce of module m is 0.0, and must be more than 0 seconds"),
    ("{ throttle = -1, run = f }", "throttle of module m is -1.0, and must be more than 0 seconds"),
    ("{ throttle = 0/0, run = f }", "throttle of module m is "),
    ("{ throttle = 1e300, run = f }", "throttle of module m is 1e+300, and must be"),
    ("{ throttle = 1, debounce = 1, run = f }", "is both, and must be debounce or throttle"),
    ("{ policy = 'first' }", "run of module m is nothing, and must be a function"),
    ("{ polcy = 'first', run = f }", "has a key that nothing knows"),
    ("7", "is a number, and must be a function or a table"),
  ])
  func `a wrong rule is a problem that names the key`(entry: String, said: String) async throws {
    let bench = try await Bench([
      "m.lua": "local f = function() end\nreturn { effects = {\n  go = \(entry) } }"
    ])
    let problems = try #require(try await bench.info("m")).problems
    #expect(problems.contains { "\($0)".contains(said) }, "\(problems)")
    #expect(problems.allSatisfy { $0.place.file == "m.lua" && $0.place.line > 0 })
  }

  @Test func `an effect in Swift has the same policies`() async throws {
    let notes = Notes()
    let bench = try await TaskBench(adding: [
      {
        try Module("s") { module in
          module.actions = [ActionDeclaration("go")]
          module.effects = [
            Effect(.exact("s/go"), policy: .latest, pace: .debounce(.seconds(1))) {
              action, context in
              notes.add("\(action.payload["n"] ?? .null)")
              try await context.sleep(for: .seconds(9))
            }
          ]
        }
      }
    ])
    for n in 1...3 {
      try await bench.dispatch("s/go", ["n": .int(Int64(n))])
    }
    #expect(notes.all == [])
    await bench.pass(1)
    while notes.all.isEmpty { await Task.yield() }
    #expect(notes.all == ["3"])
  }
}
