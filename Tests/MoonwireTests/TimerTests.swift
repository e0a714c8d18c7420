import MoonTestSupport
import Moonwire
import Testing

/// Timers and schedules.
@Suite(.timeLimit(.minutes(2))) struct TimerTests {
  private static func module(_ schedules: String, more: String = "") -> String {
    """
    local moon = require "moonwire"
    return { state = { n = 0, m = 0 }, schedules = { \(schedules) },
      reducers = { tick = function(s, p) s.n = s.n + (p.by or 1) end,
        tock = function(s) s.m = s.m + 1 end }, \(more) }
    """
  }

  private func bench(_ schedules: String, more: String = "") async throws -> TaskBench {
    try await TaskBench(["m.lua": Self.module(schedules, more: more)])
  }

  private func n(_ bench: TaskBench) async throws -> Int64? {
    try await bench.bench.state("m.n")?.intValue
  }

  @Test(arguments: [
    ("tick = { every = 10 }", [0, 1, 1, 2]), ("tick = { every = 10, after = 1 }", [1, 2, 2, 3]),
    ("tick = { after = 9 }", [0, 1, 1, 1]), ("tick = { after = 0 }", [1, 1, 1, 1]),
    ("tick = { every = 10, payload = { by = 5 } }", [0, 5, 5, 10]),
    ("['m/tick'] = { every = 5 }", [1, 3, 3, 4]),
  ])
  func `a schedule dispatches its action at its times`(
    schedule: String, counts: [Int64]
  ) async throws {
    let bench = try await bench(schedule)
    for (seconds, count) in zip([5.0, 10, 0, 7], counts) {
      // In steps, since missed runs aren't made up for.
      for _ in 0..<Int(seconds) { await bench.pass(1) }
      if seconds == 0 { await bench.pass(0) }
      #expect(try await n(bench) == count)
    }
  }

  @Test func `missed runs aren't made up for, and the later ones keep their times`() async throws {
    let bench = try await bench("tick = { every = 10 }")
    await bench.pass(57)
    #expect(try await n(bench) == 1)
    await bench.pass(2.5)
    #expect(try await n(bench) == 1)
    await bench.pass(0.5)
    #expect(try await n(bench) == 2)
  }

  @Test func `a schedule keeps its times in a reload that leaves it as it is`() async throws {
    let bench = try await bench("tick = { every = 10 }, tock = { after = 5 }")
    await bench.pass(6)
    #expect(try await bench.bench.state("m.m") == 1)
    try bench.bench.folder.save(
      "m.lua",
      "-- moved\n"
        + Self.module(
          "tock = { after = 5 }, tick = { every = 10 }", more: "effects = {},"))
    await bench.host.reload()
    await bench.pass(4)
    #expect(try await n(bench) == 1)
    #expect(try await bench.bench.state("m.m") == 1, "it ran once")
    #expect(await bench.host.taskInfos(of: bench.session).map(\.generation) == [2])
  }

  @Test func `a reload that changes a schedule starts it anew, or ends it`() async throws {
    let bench = try await bench("tick = { every = 10 }")
    await bench.pass(6)
    try bench.bench.folder.save("m.lua", Self.module("tick = { every = 8 }"))
    await bench.host.reload()
    await bench.pass(4)
    #expect(try await n(bench) == 0)
    await bench.pass(4)
    #expect(try await n(bench) == 1)
    try bench.bench.folder.save("m.lua", Self.module(""))
    await bench.host.reload()
    await bench.pass(100)
    #expect(try await n(bench) == 1)
    #expect(await bench.waits().isEmpty)
  }

  @Test func `a module that leaves takes its timers along`() async throws {
    let bench = try await bench(
      "tick = { every = 10 }", more: "on_start = function(self) self.every(1, 'tock') end")
    #expect(await bench.waits().count == 2)
    try bench.bench.folder.remove("m.lua")
    await bench.host.reload()
    #expect(await bench.waits().isEmpty)
  }

  @Test func `a schedule pauses while its module is suspended`() async throws {
    var options = Bench.quiet
    options.faultsMax = 2
    let bench = try await TaskBench(
      [
        "m.lua": Self.module(
          "tick = { every = 10 }",
          more: "observe = { ['m.m'] = function() error('no') end }")
      ], options: options)
    for _ in 1...3 { _ = try? await bench.dispatch("m/tock") }
    #expect(await bench.waits().isEmpty)
    await bench.pass(30)
    #expect(try await n(bench) == 0)
    let name = try #require(ModuleName("m"))
    #expect(await bench.host.resume(name))
    await bench.pass(10)
    #expect(try await n(bench) == 1)
  }

  @Test func `self.after and self.every dispatch, and outlive a reload`() async throws {
    let bench = try await bench(
      "",
      more: """
        on_start = function(self) self.after(5, "tick", { by = 100 }) self.every(2, "tick") end
        """)
    await bench.pass(4)
    #expect(await bench.waits() == ["its run in 5.0 s", "its next run, every 2.0 s"])
    await bench.host.reload()
    await bench.pass(1)
    #expect(try await n(bench) == 101)
    await bench.pass(1)
    #expect(try await n(bench) == 102)
  }

  @Test func `a timer can be cancelled, once`() async throws {
    let bench = try await TaskBench(
      effect: """
        local timer = self.every(1, "tell", { text = "tick" })
        moon.sleep(2.5)
        tell(tostring(timer:cancel()), tostring(timer:cancel()), tostring(pcall(timer.cancel)))
        """)
    try await bench.go()
    for _ in 1...8 { await bench.pass(0.5) }
    #expect(try await bench.told() == ["tick", "tick", "true false false"])
  }

  @Test func `its action has the timer as its cause and the effect's action as its parent`()
    async throws
  {
    let bench = try await TaskBench(
      effect: "self.after(1, 'note')",
      more: "note = function(p, self, a) self.dispatch('tell', "
        + "{ text = a.meta.cause .. ' ' .. tostring(a.meta.parent) }) end")
    try await bench.go()
    await bench.pass(1)
    #expect(try await bench.told() == ["m timer 1"])
  }

  @Test(arguments: [
    ("self.after(-1, 'tell')", "self.after takes a number of seconds from 0 to 1000000000"),
    ("self.after('x', 'tell')", "self.after takes a number of seconds"),
    ("self.after(0/0, 'tell')", "self.after takes a number of seconds"),
    ("self.every(0, 'tell')", "a timer takes a time from 10 ms to 1000000000 s"),
    ("self.every(1, 'gone')", "no module knows the action m/gone"),
    ("self.every(1)", "dispatch takes the type of an action"),
    ("self.after(1, {'set', 'set'})", "a timer dispatches one action, not 2"),
    ("self.after(1, function() end)", "a function"),
  ])
  func `a wrong timer is an error at its line`(call: String, said: String) async throws {
    let bench = try await TaskBench(effect: call)
    let fault = try #require(try await bench.go().faults.first)
    #expect("\(fault)".contains(said), "\(fault)")
    #expect(fault.place?.file == "m.lua" && fault.place?.line == 10)
  }

  @Test func `no timer starts in a reducer or a view`() async throws {
    let bench = try await TaskBench([
      "m.lua": """
      local kept
      return { state = { n = 0 }, on_start = function(self) kept = self end,
        reducers = { go = function() kept.after(1, "go") end } }
      """
    ])
    guard case .fault(let fault) = await bench.bench.failure(of: "m/go") else {
      Issue.record("it was started")
      return
    }
    #expect("\(fault)".contains("timers"))
  }

  @Test(arguments: [
    ("tick = {}", "without both, and must be a table with every or after"),
    ("tick = 5", "must be a table"),
    ("tick = { every = 0.001 }", "must be at least 0.01 seconds and at most"),
    ("tick = { every = 'x' }", "is a string, and must be a number of seconds"),
    ("tick = { after = -1 }", "is -1.0, and must be at least 0.0 seconds"),
    ("tick = { after = 1/0 }", "must be at least 0.0 seconds"),
    ("tick = { evry = 1 }", "has a key that nothing knows"),
    ("tick = { every = 1, payload = { f = print } }", "payload"),
    ("['a b'] = { every = 1 }", "a b"), ("{ every = 1 }", ""),
  ])
  func `a wrong schedule is a problem at its line`(schedule: String, said: String) async throws {
    let bench = try await Bench(["m.lua": "return {\n  schedules = { \(schedule) } }"])
    let problems = try #require(try await bench.info("m")).problems
    #expect(problems.contains { "\($0)".contains(said) }, "\(problems)")
    #expect(problems.allSatisfy { $0.place.file == "m.lua" && $0.place.line == 2 })
  }

  @Test func `a module in Swift has schedules and timers on the same terms`() async throws {
    let bench = try await TaskBench(adding: [
      {
        try Module("s", state: ["n": 0]) { module in
          module.reducers = [
            Reducer(.exact("s/tick")) { state, _ in
              state = ["n": .int((state["n"]?.intValue ?? 0) + 1)]
            }
          ]
          module.schedules = [Schedule(Action("s/tick"), every: .seconds(10))].compactMap(\.self)
          module.hooks.onStart = Hook { context in
            let task = try context.dispatch(Action("s/tick"), every: .seconds(1))
            try context.dispatch(Action("s/tick"), after: .seconds(5))
            #expect(context.cancel(task))
            #expect(throws: TimerError.timeOutOfRange(min: .milliseconds(10))) {
              try context.dispatch(Action("s/tick"), every: .zero)
            }
          }
        }
      }
    ])
    await bench.pass(9)
    #expect(try await bench.bench.state("s.n") == 1)
    await bench.pass(1)
    #expect(try await bench.bench.state("s.n") == 2)
    #expect(Schedule(Action("s/tick")) == nil)
    #expect(Schedule(Action("s/tick"), every: .milliseconds(9)) == nil)
  }

  @Test func `nobody waits for timers`() async throws {
    let bench = try await bench(
      "tick = { every = 1 }", more: "on_start = function(self) self.after(1, 'tock') end")
    let work = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
    #expect(work.running.count == 2)
  }
}
