import Moonwire
import Testing

/// What effects return, and functions that are dispatched.
@Suite(.timeLimit(.minutes(2))) struct EffectResultTests {
  @Test(arguments: [
    ("return { type = 'tell', payload = { text = 'a' } }", ["a"]),
    ("moon.sleep(1) return { type = 'tell', payload = { text = 'late' } }", ["late"]),
    ("return {}", []), ("return nil", []), ("return false, true", []),
    ("return { false, { { t('a') }, t('b') }, {} }, t('c')", ["a", "b", "c"]),
    ("return function(state, me) return t(state.m.n .. tostring(me == self)) end", ["0true"]),
    ("return function() return function() return { t('deep') } end end", ["deep"]),
    ("return function(_, me) moon.sleep(1) me.dispatch(t('waited')) end", ["waited"]),
    ("self.dispatch(function(state) return t(tostring(state.m.n)), t('and') end)", ["0", "and"]),
    ("return '/there'", []),
  ])
  func `what an effect returns is dispatched`(body: String, told: [String]) async throws {
    let bench = try await TaskBench(
      effect: "local function t(x) return { type = 'tell', payload = { text = x } } end \(body)")
    let outcome = try await bench.go()
    await bench.pass(1)
    #expect(try await bench.told() == told)
    let failures =
      outcome.failures
      + (await bench.host.waitForTasks(
        in: bench.session, within: .zero
      ).failures)
    #expect(failures.count == (body.contains("/there") ? 1 : 0), "no route takes it")
    #expect(await bench.faults().isEmpty)
  }

  @Test func `the effect is the cause, and its action the parent`() async throws {
    let bench = try await TaskBench(
      effect: "return 'note'",
      more: "note = function(p, self, a) return { type = 'tell', payload = "
        + "{ text = a.meta.cause .. ' ' .. a.meta.parent } } end")
    try await bench.go()
    #expect(try await bench.told() == ["m effect 1"])
  }

  @Test(arguments: [
    ("return 7", "effect m/go returned or emitted an integer, which can't be dispatched"),
    ("return 'tell', { by = 1 }", "returned or emitted a map"),
    ("return 'gone'", "no module knows the action m/gone"),
    ("local t = {} t[1] = t return t", "results are nested deeper than 32 lists and functions"),
    ("local function f() return f end return f", "nested deeper than 32"),
    ("return coroutine.create(print)", "a thread"),
    ("return moon.defer(7)", "moon.defer takes a function, not a number"),
    ("return moon.defer(function() return 7 end)", "returns a function or nothing, not a number"),
    ("return function() error('mine') end", "mine"),
  ])
  func `anything else is a fault of the effect, and dispatches nothing`(
    body: String, said: String
  ) async throws {
    let bench = try await TaskBench(effect: body)
    let fault = try #require(try await bench.go().faults.first)
    #expect("\(fault)".contains(said), "\(fault)")
    #expect(fault.registration.kind == .effect)
    #expect(fault.place?.file == "m.lua")
    #expect(await bench.waits().isEmpty)
  }

  @Test func `if one part of a result is wrong, none is dispatched`() async throws {
    let bench = try await TaskBench(
      effect: "return { { type = 'tell', payload = { text = 'a' } }, 7 }")
    #expect(try await bench.go().faults.count == 1)
    #expect(try await bench.told() == [])
  }

  @Test func `a source emits until its task is cancelled, and is told of it`() async throws {
    let bench = try await TaskBench(
      effect: """
        local late
        self.dispatch(function() end)
        return moon.defer(function(emit)
          late = emit
          moon.spawn(function()
            while true do
              moon.sleep(1)
              emit { { type = "tell", payload = { text = "tick" } } }
            end
          end)
          emit(function() return { type = "tell", payload = { text = "first" } } end)
          return function() tell("cancelled", tostring(late("tell"))) end
        end)
        """)
    try await bench.go()
    await bench.pass(1)
    await bench.pass(1)
    #expect(try await bench.told() == ["first", "tick", "tick"])
    #expect(await bench.waits() == ["its cancellation", "1.0 s"])
    let tasks = await bench.host.taskInfos(of: bench.session)
    #expect(await bench.host.cancelTask(tasks[0].id, in: bench.session))
    #expect(try await bench.told().last == "cancelled false")
    #expect(await bench.waits().isEmpty)
  }

  @Test func `a source without a function to cancel it ends when it returns`() async throws {
    let bench = try await TaskBench(
      effect: """
        return { moon.defer(function(emit) moon.sleep(1) emit(
            { type = "tell", payload = { text = "one" } }) end),
          moon.defer(function(emit) moon.sleep(2) emit(
            { type = "tell", payload = { text = "two" } }) end) }
        """)
    try await bench.go()
    await bench.pass(1)
    await bench.pass(1)
    #expect(try await bench.told() == ["one", "two"])
    #expect(await bench.waits().isEmpty)
  }

  @Test(arguments: ["reload", "policy"])
  func `a source ends with its module, and for the latest action`(cause: String) async throws {
    let bench = try await TaskBench(
      effect: "",
      more: """
        source = { policy = "latest", run = function(p, self) return moon.defer(function(emit)
          return function() self.dispatch("tell", { text = "closed " .. p.n }) end end) end }
        """)
    try await bench.dispatch("m/source", ["n": 1])
    if cause == "reload" {
      await bench.host.reload()
    } else {
      try await bench.dispatch("m/source", ["n": 2])
    }
    #expect(try await bench.told() == ["closed 1"])
    #expect(await bench.waits().count == (cause == "reload" ? 0 : 1))
  }

  @Test func `a function isn't dispatched in a reducer`() async throws {
    let bench = try await Bench([
      "m.lua": """
      local kept
      return { on_start = function(self) kept = self end, state = {},
        reducers = { go = function() kept.dispatch(function() end) end } }
      """
    ])
    guard case .fault(let fault) = await bench.failure(of: "m/go") else {
      Issue.record("it was dispatched")
      return
    }
    #expect("\(fault)".contains("dispatching"))
  }

  @Test(arguments: [
    ("{ code = 7 }", "type(e) .. e.code", "table7"), ("42", "math.type(e) .. e", "integer42"),
    ("false", "tostring(e)", "false"), ("'text'", "e", "m.lua:10: text"),
    ("setmetatable({}, { __tostring = function() return 'mine' end })", "tostring(e)", "mine"),
  ])
  func `an error of a task keeps its value, whoever waits for it`(
    value: String, shown: String, told: String
  ) async throws {
    let waits = [
      "pcall(t.await, t)", "pcall(moon.all, { t })", "pcall(moon.race, { t })",
      "pcall(moon.timeout, 9, function() return t:await() end)",
    ]
    for wait in waits {
      let bench = try await TaskBench(
        effect: "local t = moon.spawn(function() moon.sleep(1) error(\(value)) end) "
          + "local _, e = \(wait) tell(\(shown)) local _, e = pcall(t.await, t) tell(\(shown))")
      try await bench.go()
      await bench.pass(1)
      #expect(try await bench.told() == [told, told], "\(wait)")
      #expect(await bench.faults().isEmpty)
    }
  }
}
