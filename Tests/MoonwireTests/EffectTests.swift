import Moonwire
import Testing

/// The waits of effects in Lua, and how effects resume.
@Suite(.timeLimit(.minutes(2))) struct EffectTests {
  @Test func `an effect starts after the commit and sees what was committed`() async throws {
    let bench = try await TaskBench(
      [
        "m.lua": TaskBench.module(
          effect: "",
          more: "set = function(p, self, a) self.dispatch('tell', "
            + "{ text = a.type .. ' ' .. p.n .. ' ' .. self.state('m.n') }) end")
      ])
    let outcome = try await bench.dispatch("m/set", ["n": 7])
    #expect(try await bench.told() == ["m/set 7 7"])
    #expect(outcome.followingCount == 1)
  }

  @Test(arguments: [("['a/x']", 1), ("['a/*']", 2), ("['*']", 2), ("['b/x']", 0)])
  func `it starts for own, foreign and families of actions`(pattern: String, count: Int)
    async throws
  {
    let bench = try await TaskBench([
      "a.lua": "return { reducers = { x = function() end, y = function() end } }",
      "b.lua": """
      return { state = { n = 0 }, reducers = { ["c/inc"] = function(s) s.n = s.n + 1 end },
        effects = { \(pattern) = function(_, self, action)
          if action.type:sub(1, 1) == "a" then self.dispatch("c/inc") end end } }
      """,
    ])
    try await bench.dispatch("a/x")
    try await bench.dispatch("a/y")
    #expect(try await bench.bench.state("b.n") == .int(Int64(count)))
  }

  @Test func `an action that only an effect listens to is known`() async throws {
    let bench = try await TaskBench(effect: "tell('begun')")
    try await bench.go()
    #expect(try await bench.told() == ["begun"])
    #expect(await bench.bench.failure(of: "m/gone") == .unknownType("m/gone", nearest: "m/go"))
  }

  @Test func `a failed action starts nothing`() async throws {
    let bench = try await TaskBench([
      "m.lua": """
      return { state = {}, reducers = { go = function() error("no") end },
        effects = { go = function() error("never") end } }
      """
    ])
    guard case .fault(let fault) = await bench.bench.failure(of: "m/go") else {
      Issue.record("it didn't fail")
      return
    }
    #expect(fault.registration.kind == .reducer)
    #expect(await bench.faults().isEmpty)
  }

  @Test func `a sleep takes as long as it says, and holds nothing up`() async throws {
    let bench = try await TaskBench(
      effect: "moon.sleep(2) tell('woken') moon.sleep(0.5) tell('again')")
    try await bench.go()
    try await bench.dispatch("m/tell", ["text": "meanwhile"])
    await bench.pass(1.5)
    #expect(try await bench.told() == ["meanwhile"])
    #expect(await bench.waits() == ["2.0 s"])
    await bench.pass(0.5)
    #expect(try await bench.told() == ["meanwhile", "woken"])
    await bench.pass(0.5)
    #expect(try await bench.told() == ["meanwhile", "woken", "again"])
    #expect(await bench.waits().isEmpty)
  }

  @Test func `those that sleep wake in the order of their times, then of their beginnings`()
    async throws
  {
    let bench = try await TaskBench(effect: "moon.sleep(payload.s) tell(payload.name)")
    for (name, seconds) in [("c", 3), ("a", 1), ("b", 2), ("a2", 1)] {
      try await bench.go(["s": .int(Int64(seconds)), "name": .string(Text(name))])
    }
    await bench.pass(5)
    #expect(try await bench.told() == ["a", "a2", "b", "c"])
  }

  @Test(arguments: [
    "pcall(moon.sleep, 1) tell('x')", "xpcall(moon.sleep, print, 1) tell('x')",
    "for i in function(_, n) moon.sleep(1) return not n and 1 or nil end do tell('x') end",
    "for i in coroutine.wrap(function() moon.sleep(1) coroutine.yield(1) end) do tell('x') end",
    """
    local co = coroutine.create(function() local _, a = pcall(moon.sleep, 1) coroutine.yield(7) end)
    local _, seven = coroutine.resume(co) if seven == 7 then tell('x') end
    """,
    "local t = setmetatable({}, { __index = function() moon.sleep(1) return 'x' end }) tell(t.y)",
    """
    local deep = function() moon.sleep(1) return 'x' end
    for _ = 1, 20 do local inner = deep deep = function() return coroutine.wrap(inner)() end end
    tell(deep())
    """,
    "do local c <close> = setmetatable({}, { __close = function() moon.sleep(1) end }) end tell('x')",
  ])
  func `a wait works wherever code of the module's own has called it`(body: String) async throws {
    let bench = try await TaskBench(effect: body)
    try await bench.go()
    #expect(try await bench.told() == [])
    #expect(await bench.waits() == ["1.0 s"])
    await bench.pass(1)
    #expect(try await bench.told() == ["x"])
  }

  @Test(arguments: [
    "table.sort({ 1, 2 }, function() moon.sleep(1) end)",
    "string.gsub('a', 'a', function() moon.sleep(1) end)",
    "tostring(setmetatable({}, { __tostring = function() moon.sleep(1) return '' end }))",
    "table.sort({ 1, 2 }, coroutine.wrap(function() moon.sleep(1) end))",
  ])
  func `where no wait can come through, the error says so`(body: String) async throws {
    let bench = try await TaskBench(effect: "tell('no', tostring(pcall(function() \(body) end)))")
    try await bench.go()
    #expect(try await bench.told() == ["no false"])
    let loud = try await TaskBench(effect: body)
    let fault = try await loud.go().faults.first
    #expect(fault?.description.contains("nothing can wait here: not within table.sort") == true)
  }

  @Test func `a yield by hand in the effect's own coroutine is an error`() async throws {
    let bench = try await TaskBench(effect: "coroutine.yield(1)")
    let fault = try #require(try await bench.go().faults.first)
    #expect(fault.description.contains("coroutine.yield has nothing to return to here"))
    #expect(fault.place == SourcePlace(file: "m.lua", line: 10))
  }

  @Test(arguments: [
    ("reducers = { go = function() moon.sleep(1) end }", "waiting isn't available in a reducer"),
    ("on_start = function() moon.sleep(1) end, reducers = { go = function() end }", "hook"),
  ])
  func `only effects can wait`(keys: String, said: String) async throws {
    let bench = try await TaskBench([
      "m.lua": "local moon = require 'moonwire' return { state = {}, \(keys) }"
    ])
    if said == "hook" {
      let event = try await bench.bench.events.upTo("fault")
      #expect(event.last?.contains("nothing can wait in on_start, on_restore or on_stop") == true)
    } else {
      let error = try #require(await bench.bench.failure(of: "m/go"))
      #expect("\(error)".contains(said))
    }
  }

  @Test func `moon.take gets the next action of a type or a family, each of them`() async throws {
    let bench = try await TaskBench(
      effect: """
        for i = 1, 3 do local a = moon.take "auth/*" tell(a.type, a.payload.name or "-") end
        tell(moon.take("tell").payload.text)
        """)
    try await bench.go()
    #expect(await bench.waits() == ["auth/*"])
    let auth = try Module("auth") { $0.actions = ["in", "out"].map { ActionDeclaration($0) } }
    try await bench.host.add(auth)
    try await bench.dispatch("auth/in", ["name": "Kim"])
    try await bench.dispatch("m/set", ["n": 1])
    try await bench.dispatch("auth/out")
    try await bench.dispatch("auth/in")
    #expect(try await bench.told() == ["auth/in Kim", "auth/out -", "auth/in -", "auth/in -"])
  }

  @Test func `actions that wait in a row are each taken`() async throws {
    let bench = try await TaskBench(
      effect: "local sum = 0 for i = 1, 50 do sum = sum + moon.take('set').payload.n end tell(sum)",
      more: "burst = function(_, self) for i = 1, 50 do self.dispatch('set', { n = i }) end end")
    try await bench.go()
    try await bench.dispatch("m/burst")
    #expect(try await bench.told() == ["1275"])
  }

  @Test func `moon.when waits until a part of the state is as it should be`() async throws {
    let bench = try await TaskBench(
      effect: """
        tell("now", moon.when("m.n", function(n) return n == 0 end))
        tell("then", moon.when("m.n", function(n) return n > 2 end))
        moon.when("m.told[2]") tell("there")
        """)
    try await bench.go()
    try await bench.dispatch("m/set", ["n": 1])
    try await bench.dispatch("m/set", ["n": 1])
    #expect(try await bench.told() == ["now 0"])
    #expect(await bench.waits() == ["a change of m.n"])
    try await bench.dispatch("m/set", ["n": 3])
    #expect(try await bench.told() == ["now 0", "then 3", "there"])
  }

  @Test(arguments: [
    ("moon.sleep('x')", "moon.sleep takes a number of seconds from 0 to 1000000000"),
    ("moon.sleep(-1)", "moon.sleep takes"), ("moon.sleep(0/0)", "moon.sleep takes"),
    ("moon.sleep(math.huge)", "moon.sleep takes"), ("moon.sleep()", "moon.sleep takes"),
    ("moon.take(5)", "moon.take takes the type of an action, not a number"),
    ("moon.take('a b')", "moon.take: 'a b' can't be the type of an action"),
    ("moon.when('a[')", "'a[' is no path into the state"),
    ("moon.when('a', 1)", "moon.when takes a path and a function, not a number"),
    ("moon.spawn()", "moon.spawn takes a function, not a nil"),
    ("moon.all(1)", "moon.all takes a table of functions and tasks, not a number"),
    ("moon.all { 1 }", "moon.all takes functions and tasks, not a number"),
    ("moon.race {}", "moon.race takes one function or task at least"),
    ("moon.timeout(1)", "moon.timeout takes a number of seconds and a function, not a nil"),
    ("moon.timeout('x', print)", "moon.timeout takes a number of seconds"),
    ("moon.spawn(print).await()", "await is a method: write task:await()"),
  ])
  func `what can't be waited for is refused where it is asked for`(
    body: String, said: String
  ) async throws {
    let bench = try await TaskBench(effect: body)
    let fault = try #require(try await bench.go().faults.first)
    #expect(fault.description.contains(said), "\(fault)")
    #expect(fault.place == SourcePlace(file: "m.lua", line: 10))
  }

  @Test func `dispatches carry the effect as their cause, and its action as parent`() async throws {
    let bench = try await TaskBench(effect: "tell('a') moon.sleep(1) tell('b')")
    try await bench.dispatch("m/set", ["n": 1])
    try await bench.go()
    await bench.pass(1)
    let entries = await bench.host.history(of: bench.session).entries
    let told = entries.filter { $0.action.type == "m/tell" }.map(\.action.meta)
    let start = try #require(entries.first { $0.action.type == "m/go" })
    #expect(told.map(\.cause.description) == ["m effect", "m effect"])
    #expect(told.map(\.parent) == [start.action.meta.id, start.action.meta.id])
  }

  @Test func `a fault after a wait has its traceback, what it waited for, and its action`()
    async throws
  {
    let bench = try await TaskBench(
      effect: "local function inner() moon.sleep(1) local x = nil x.y = 1 end inner() tell('no')")
    try await bench.go()
    await bench.pass(1)
    let fault = try #require(await bench.faults().first)
    #expect(fault.summary.hasPrefix("m effect m/go m.lua:10 raised(\"attempt to index"))
    #expect(fault.frames.count == 2)
    #expect(fault.lastWait == "1.0 s")
    #expect(fault.action?.type == "m/go")
    #expect(try await bench.bench.events.upTo("fault").count > 0)
    try await bench.dispatch("m/set", ["n": 1])
    #expect(try await bench.bench.state("m.n") == 1)
  }

  @Test func `a view of the state is good until the next wait`() async throws {
    let bench = try await TaskBench(
      effect: """
        local m = self.state("m") tell(m.n)
        moon.sleep(1)
        tell(select(2, pcall(function() return m.n end)))
        """)
    try await bench.go()
    await bench.pass(1)
    let told = try await bench.told()
    #expect(told[0] == "0")
    #expect(told[1].contains("was kept from an earlier call"))
  }

  @Test func `each turn has a time budget, and a loop ends the module's machine`() async throws {
    var options = Bench.quiet
    options.budgets[.effect] = .milliseconds(40)
    let bench = try await TaskBench(
      effect: "moon.sleep(1) while true do end", more: "other = function() moon.sleep(9) end",
      options: options)
    try await bench.go()
    try await bench.dispatch("m/other")
    await bench.pass(1)
    let fault = try #require(await bench.faults().first)
    #expect(fault.reason == .timedOut(milliseconds: 40))
    #expect(fault.place == SourcePlace(file: "m.lua", line: 10))
    #expect(await bench.waits().isEmpty, "the machine of the other task is gone")
    #expect(try await bench.bench.info("m")?.generation == 2)
    try await bench.dispatch("m/set", ["n": 4])
    #expect(try await bench.bench.state("m.n") == 4)
  }

  @Test func `what effects hold counts to the module's memory`() async throws {
    var options = Bench.quiet
    options.memoryQuota = 2 << 20
    let bench = try await TaskBench(
      effect: "local held = string.rep('x', 300000) .. payload.n moon.sleep(9) tell(#held)",
      options: options)
    var reasons: [Fault.Reason] = []
    for n in 0..<20 { reasons += try await bench.go(["n": .int(Int64(n))]).faults.map(\.reason) }
    #expect(reasons.contains(.outOfQuota(bytes: 2 << 20)))
    #expect(await bench.waits().count < 10)
  }
}
