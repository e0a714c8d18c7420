import MoonTestSupport
import Moonwire
import Testing

/// Tasks that effects spawn, and how tasks end.
@Suite(.timeLimit(.minutes(2))) struct TaskTests {
  @Test func `a task runs beside the one that spawned it, which can wait for it`() async throws {
    let bench = try await TaskBench(
      effect: """
        local task = moon.spawn(function() tell("b") moon.sleep(1) return 1, nil, 3 end)
        tell("a")
        tell(select("#", task:await()), (select(3, task:await())))
        """)
    try await bench.go()
    #expect(try await bench.told() == ["a", "b"])
    #expect(await bench.waits() == ["task 2", "1.0 s"])
    await bench.pass(1)
    #expect(try await bench.told() == ["a", "b", "3 3"])
  }

  @Test func `moon.all waits for all and keeps their keys`() async throws {
    let bench = try await TaskBench(
      effect: """
        local found = moon.all {
          a = function() moon.sleep(2) return "A" end, b = function() return "B" end,
          c = moon.spawn(function() moon.sleep(1) return "C" end),
        }
        tell(found.a, found.b, found.c)
        tell(table.concat(moon.all { function() return 1 end, function() return 2 end }, "+"))
        tell(#moon.all {})
        """)
    try await bench.go()
    await bench.pass(1)
    #expect(try await bench.told() == [])
    await bench.pass(1)
    #expect(try await bench.told() == ["A B C", "1+2", "0"])
  }

  @Test func `two of all that fail in the same turn are both heard, and a later one is not`()
    async throws
  {
    let bench = try await TaskBench(
      effect: """
        local done, problem = pcall(moon.all, {
          function() moon.sleep(1) error("one", 0) end, function() moon.sleep(1) error("two", 0) end,
        })
        tell(tostring(done), problem)
        local lasting = moon.spawn(function() moon.sleep(1) error("unheard", 0) end)
        moon.race { function() return 1 end, lasting }
        moon.sleep(9)
        """)
    try await bench.go()
    await bench.pass(1)
    let told = try await bench.told()
    #expect(told.count == 1 && told[0].contains(/^false .*(one|two)$/), "\(told)")
    #expect(await bench.faults().isEmpty, "both errors were heard")
    await bench.pass(1)
    #expect(await bench.faults().map { "\($0.reason)" } == ["raised(\"unheard\")"])
  }

  @Test func `if one of all fails, the others are cancelled and its error is raised`() async throws
  {
    let bench = try await TaskBench(
      effect: """
        local done, problem = pcall(moon.all, {
          function() local c <close> = setmetatable({}, { __close = function() tell("closed") end })
            moon.sleep(9) end,
          function() moon.sleep(1) error("no luck") end,
        })
        tell(tostring(done), problem)
        """)
    try await bench.go()
    await bench.pass(1)
    #expect(try await bench.told().sorted() == ["closed", "false m.lua:13: no luck"])
    #expect(await bench.waits().isEmpty)
    #expect(await bench.faults().isEmpty, "the error was heard")
  }

  @Test func `moon.race gives the key and the results of the first`() async throws {
    let bench = try await TaskBench(
      effect: """
        tell(moon.race { slow = function() moon.sleep(9) end,
          fast = function() moon.sleep(1) return "x", "y" end })
        tell(tostring(pcall(moon.race, { function() error("e") end, function() moon.sleep(9) end })))
        """)
    try await bench.go()
    await bench.pass(1)
    #expect(try await bench.told() == ["fast x y", "false"])
    #expect(await bench.waits().isEmpty)
  }

  @Test func `moon.timeout ends what takes too long with an error at the caller`() async throws {
    let bench = try await TaskBench(
      effect: """
        tell(moon.timeout(5, function() moon.sleep(1) return "in time" end))
        tell(select(2, pcall(function() local x = moon.timeout(2, function() moon.sleep(9) end) end)))
        """)
    try await bench.go()
    await bench.pass(1)
    #expect(await bench.waits() == ["task 3, 2.0 s at most", "9.0 s"])
    await bench.pass(2)
    #expect(try await bench.told() == ["in time", "m.lua:11: timed out after 2 s"])
    #expect(await bench.waits().isEmpty)
  }

  @Test func `an error goes to who waits for the task, with the way of both`() async throws {
    let bench = try await TaskBench(
      effect: """
        local function inner() moon.sleep(1) error("boom") end
        local task = moon.spawn(function() inner() end)
        task:await()
        """)
    try await bench.go()
    await bench.pass(1)
    let faults = await bench.faults()
    #expect(faults.count == 1)
    let fault = try #require(faults.first)
    #expect(fault.summary == "m effect m/go m.lua:10 raised(\"boom\")")
    #expect(fault.frames.map(\.place.line) == [10, 11, 12])
    #expect(fault.lastWait == "1.0 s")
  }

  @Test func `an error that nobody waits for is a fault`() async throws {
    let bench = try await TaskBench(effect: "moon.spawn(function() error('lost') end) tell('on')")
    let outcome = try await bench.go()
    #expect(outcome.faults.map(\.description).contains { $0.contains("lost") })
    #expect(try await bench.told() == ["on"])
  }

  @Test func `errors that somebody waits for never suspend a module`() async throws {
    let bench = try await TaskBench(
      effect: """
        for i = 1, 60 do
          pcall(function() moon.spawn(function() error("lost") end):await() end)
          pcall(moon.all, { function() error("lost") end })
        end
        moon.sleep(1)
        tell("done")
        """)
    let outcome = try await bench.go()
    #expect(outcome.faults.isEmpty)
    await bench.pass(1)
    #expect(try await bench.told() == ["done"])
    let info = try #require(await bench.host.moduleInfos().first)
    #expect(info.status == .running)
    #expect(info.faults == 0)
  }

  @Test(
    arguments: [
      ("raised again", "moon.spawn(function() error('lost') end):await()"),
      ("unheard", "moon.spawn(function() error('lost') end)"),
    ])
  func `an error that nobody catches counts once, and suspends the module in the end`(
    how: String, effect: String
  ) async throws {
    let bench = try await TaskBench(effect: effect)
    let events = EventLog(bench.host.events())
    try await bench.go()
    #expect(await bench.host.moduleInfos().first?.faults == 1)
    for _ in 1..<HostOptions().faultsMax { try await bench.go() }
    try #require(await bench.host.moduleInfos().first?.status == .suspended)
    try await events.upTo("suspended m by m/go after 20")
  }

  @Test func `a cancelled task closes its variables, innermost coroutine first`() async throws {
    let bench = try await TaskBench(
      effect: """
        local function closing(name)
          return setmetatable({}, { __close = function() tell(name) end })
        end
        local task = moon.spawn(function()
          local a <close> = closing("outer")
          coroutine.wrap(function()
            local b <close> = closing("inner")
            pcall(function() local c <close> = closing("innermost") moon.sleep(9) end)
            tell("never")
          end)()
        end)
        moon.sleep(1)
        tell(tostring(task:cancel()), tostring(task:cancel()))
        tell(select(2, pcall(task.await, task)))
        """)
    try await bench.go()
    await bench.pass(1)
    #expect(
      try await bench.told() == [
        "true false", "innermost", "inner", "outer", "m.lua:23: the task was cancelled",
      ])
  }

  @Test func `cancelling a task cancels those that it has spawned`() async throws {
    let bench = try await TaskBench(
      effect: """
        local task = moon.spawn(function()
          moon.spawn(function() moon.spawn(function() moon.sleep(9) end) moon.sleep(9) end)
          moon.sleep(9)
        end)
        moon.take "set"
        task:cancel()
        """)
    try await bench.go()
    #expect(await bench.waits().count == 4)
    try await bench.dispatch("m/set", ["n": 1])
    #expect(await bench.waits().isEmpty)
  }

  @Test func `a task that returns leaves those that it has spawned`() async throws {
    let bench = try await TaskBench(effect: "moon.spawn(function() moon.sleep(1) tell('late') end)")
    try await bench.go()
    await bench.pass(1)
    #expect(try await bench.told() == ["late"])
  }

  @Test func `a task that cancels itself ends at its next wait`() async throws {
    let bench = try await TaskBench(
      effect: """
        local task
        task = moon.spawn(function() task:cancel() tell("on") moon.sleep(1) tell("never") end)
        """)
    try await bench.go()
    await bench.pass(2)
    #expect(try await bench.told() == ["on"])
    #expect(await bench.waits().isEmpty)
  }

  @Test(arguments: ["moon.sleep(1)", "moon.take 'set'", "moon.spawn(function() end):await()"])
  func `a handler that closes can't wait`(wait: String) async throws {
    let bench = try await TaskBench(
      effect: """
        local c <close> = setmetatable({}, { __close = function() \(wait) end })
        moon.sleep(9)
        """)
    try await bench.go()
    let id = try #require(await bench.host.taskInfos(of: bench.session).first?.id)
    #expect(await bench.host.cancelTask(id, in: bench.session))
    #expect(await bench.waits().isEmpty)
    let event = try await bench.bench.events.upTo("fault").last
    #expect(event?.contains("nothing can wait here") == true, "\(event ?? "-")")
  }

  @Test func `a handler that never ends is ended with its machine`() async throws {
    var options = Bench.quiet
    options.budgets[.effect] = .milliseconds(40)
    let bench = try await TaskBench(
      effect: """
        local c <close> = setmetatable({}, { __close = function() while true do end end })
        moon.sleep(9)
        """, options: options)
    try await bench.go()
    await bench.host.reload()
    #expect(await bench.waits().isEmpty)
    try await bench.bench.events.upTo("fault")
    try await bench.dispatch("m/set", ["n": 2])
    #expect(try await bench.bench.state("m.n") == 2)
  }

  @Test func `coroutines that wait are nobody else's to resume or to close`() async throws {
    let bench = try await TaskBench(
      effect: """
        local co, own = nil, coroutine.running()
        moon.spawn(function()
          co = coroutine.create(function() moon.sleep(1) tell("whole") end)
          coroutine.resume(co)
        end)
        moon.spawn(function()
          for _, c in ipairs { co, own } do
            tell(tostring(select(2, coroutine.resume(c))))
            tell(tostring(select(2, pcall(coroutine.close, c))))
          end
        end)
        moon.sleep(1)
        """)
    try await bench.go()
    await bench.pass(1)
    let told = try await bench.told()
    #expect(told.count == 5)
    #expect(told[0] == "cannot resume a coroutine that waits for an answer of the host")
    #expect(told[1].contains("cannot close a coroutine that waits"))
    #expect(told[4] == "whole")
  }

  @Test func `a reload cancels the tasks of the generation before`() async throws {
    let bench = try await TaskBench(
      effect: """
        local c <close> = setmetatable({}, { __close = function() tell("closed") end })
        moon.sleep(1) tell("never")
        """)
    try await bench.go()
    await bench.host.reload()
    #expect(await bench.waits().isEmpty)
    await bench.pass(2)
    #expect(try await bench.told() == ["closed"])
  }

  @Test func `a module that leaves or is suspended takes its tasks with it`() async throws {
    var options = Bench.quiet
    options.faultsMax = 1
    let bench = try await TaskBench(
      effect: "moon.sleep(9)", more: "fail = function() error('x') end", options: options)
    try await bench.go()
    try await bench.dispatch("m/fail")
    #expect(await bench.waits().isEmpty)
    await bench.host.resume(try #require(ModuleName("m")))
    try await bench.go()
    #expect(await bench.waits().count == 1)
    try bench.bench.folder.remove("m.lua")
    await bench.host.reload()
    #expect(await bench.waits().isEmpty)
  }

  @Test func `closing a session ends its tasks and no others`() async throws {
    let bench = try await TaskBench(
      effect: """
        local c <close> = setmetatable({}, { __close = function() print("closed") end })
        moon.sleep(1) tell("on")
        """)
    let other = await bench.host.openSession()
    try await bench.go()
    try await bench.host.dispatch(Action("m/go"), to: other)
    await bench.host.closeSession(other)
    #expect(await bench.host.taskInfos(of: other).isEmpty)
    await bench.pass(1)
    #expect(try await bench.told() == ["on"])
  }

  @Test func `a module has so many tasks at a time, and the next is refused`() async throws {
    var options = Bench.quiet
    options.tasks.countMax = 3
    let bench = try await TaskBench(
      effect: """
        local done, problem
        for i = 1, 5 do
          done, problem = pcall(moon.spawn, function() moon.sleep(1) end)
          if not done then tell(problem) end
        end
        moon.sleep(1)
        """, options: options)
    let outcome = try await bench.go()
    #expect(outcome.faults.isEmpty)
    #expect(try await bench.told().first?.contains("3 tasks of module m run already") == true)
    let refused = try await bench.go()
    #expect(refused.faults.first?.description.contains("3 tasks of module m run already") == true)
    await bench.pass(1)
    #expect(try await bench.go().faults.isEmpty)
  }

  @Test func `a task lives as long as it may`() async throws {
    var options = Bench.quiet
    options.tasks.lifeMax = .seconds(5)
    let bench = try await TaskBench(
      effect: "while true do moon.take 'never/comes' end", options: options)
    try await bench.go()
    await bench.pass(4)
    #expect(await bench.waits().count == 1)
    await bench.pass(1)
    #expect(await bench.waits().isEmpty)
    let fault = try #require(await bench.faults().first)
    #expect(fault.reason == .lifetimeExceeded(milliseconds: 5_000))
    #expect(fault.lastWait == "never/comes")
  }

  @Test func `tasks that never wait for time leave the host its turns`() async throws {
    let bench = try await TaskBench(
      effect: "while true do moon.spawn(function() end):await() end")
    try await bench.go()
    for n in 1...5 as ClosedRange<Int64> { try await bench.dispatch("m/set", ["n": .int(n)]) }
    #expect(try await bench.bench.state("m.n") == 5)
    let id = try #require(await bench.host.taskInfos(of: bench.session).first?.id)
    #expect(await bench.host.cancelTask(id, in: bench.session))
  }

  @Test func `ten thousand tasks sleep and wake`() async throws {
    let bench = try await TaskBench(
      effect: """
        for i = 1, payload.count do moon.spawn(function() moon.sleep(1 + i / 10000) end) end
        moon.take "set"
        """)
    try await bench.go(["count": 9_999])
    #expect(await bench.waits().count == 10_000)
    for _ in 0..<40 { await bench.pass(0.1) }
    while await bench.waits().count > 1 { await bench.host.wake() }
    #expect(await bench.waits() == ["m/set"])
  }
}
