import Moonwire
import Testing

/// What becomes of the errors of tasks: each is raised where somebody waits, or is a fault.
@Suite(.timeLimit(.minutes(2))) struct TaskErrorTests {
  /// An error value with fields, and functions that return tasks.
  private static let preamble = """
    local problem = { code = "c", message = "no luck" }
    local function fails() moon.sleep(1) error(problem) end
    local function nested() return moon.spawn(function() return moon.spawn(fails) end) end
    local function closing(text)
      return setmetatable({}, { __close = function() error(text) end })
    end
    local function told(f, ...)
      local done, found = pcall(f, ...)
      tell(tostring(done), found == problem and "the same" or tostring(found))
    end
    """

  private func bench(_ effect: String) async throws -> TaskBench {
    let bench = try await TaskBench(effect: Self.preamble + "\n" + effect)
    try await bench.go()
    await bench.pass(1)
    return bench
  }

  @Test(arguments: [
    "told(function() fails() end)",
    "local task = moon.spawn(fails) told(task.await, task)",
    "local task = nested() told(task.await, task)",
    "told(moon.all, { fails })", "told(moon.all, { nested })", "told(moon.all, { nested() })",
    "told(moon.race, { fails, function() moon.sleep(9) end })", "told(moon.race, { nested })",
    "told(moon.timeout, 5, fails)", "told(moon.timeout, 5, nested)",
    "local task = nested() moon.sleep(1) told(task.await, task)",
    "self.handle { request = fails, failure = function(e) told(error, e, 0) end }",
    "self.handle { request = nested, failure = function(e) told(error, e, 0) end }",
    """
    told(coroutine.wrap(function()
      return moon.spawn(function() pcall(fails) return nested() end):await()
    end)) moon.sleep(1)
    """,
  ])
  func `an error that is a table stays that table`(effect: String) async throws {
    let bench = try await bench(effect)
    await bench.pass(1)
    #expect(try await bench.told() == ["false the same"])
    #expect(await bench.faults().isEmpty)
  }

  @Test(arguments: ["'plain', 0", "'placed'", "42, 0", "true", "false", "nil"])
  func `an error is the same where the task is awaited`(value: String) async throws {
    let bench = try await bench(
      """
      local function raise() moon.sleep(1) error(\(value)) end
      local function found(f, ...) return select(2, pcall(f, ...)) end
      local direct, task = found(raise), moon.spawn(raise)
      for _, other in ipairs { { task.await, task }, { moon.all, { raise } },
        { moon.race, { raise } }, { moon.timeout, 5, raise } } do
        tell(tostring(found(table.unpack(other)) == direct))
      end
      """)
    for _ in 0..<5 { await bench.pass(1) }
    #expect(try await bench.told() == Array(repeating: "true", count: 4))
  }

  @Test(arguments: [
    "error { code = 7, list = { 'x' } }",
    "error(setmetatable({}, { __tostring = function() return 'its text' end }))",
  ])
  func `a table is printed where nobody catches it`(effect: String) async throws {
    let bench = try await bench("moon.sleep(1) " + effect)
    let text = effect.contains("__tostring") ? "its text" : #"{code = 7, list = ["x"]}"#
    #expect(await bench.faults().first?.reason == .raised(text))
  }

  @Test(arguments: [
    "return moon.spawn(fails)", "return nested()", "nested():await()",
    "return function() return nested() end", "moon.all { nested }", "moon.race { nested }",
    "moon.timeout(5, nested)", "return moon.spawn(function() return nested() end), 'tell'",
    "self.handle { request = nested }",
  ])
  func `a fault has the message of the table and the line that raised it`(effect: String)
    async throws
  {
    let bench = try await bench(effect)
    let faults = await bench.faults()
    #expect(faults.map { "\($0.reason)" } == ["raised(\"no luck\")"])
    let fault = try #require(faults.first)
    // The second line of the preamble, which begins on line 10 of the module.
    #expect(fault.place?.line == 11)
    #expect(fault.frames.first?.place.line == 11)
    #expect(fault.lastWait == "1.0 s")
  }

  @Test(arguments: [
    ("return moon.spawn(function() moon.sleep(1) return t 'a' end)", ["a"]),
    (
      "return moon.spawn(function() return moon.spawn(function() return t 'a', t 'b' end) end)",
      ["a", "b"]
    ),
    ("return function() return moon.spawn(function() return t 'a' end) end", ["a"]),
    ("tell(moon.all { function() return moon.spawn(function() return 'x' end) end }[1])", ["x"]),
    ("tell(moon.timeout(2, function() return moon.spawn(function() return 'x' end) end))", ["x"]),
    (
      "tell(moon.race { k = function() return moon.spawn(function() return 'x' end) end })",
      ["k x"]
    ),
    (
      "self.handle { request = function() return moon.spawn(function() return 'x' end) end, "
        + "success = function(v) tell(v) end }", ["x"]
    ),
  ])
  func `the results of a task that is returned are returned instead`(
    effect: String, told: [String]
  ) async throws {
    let bench = try await bench(
      "local function t(x) return { type = 'tell', payload = { text = x } } end " + effect)
    #expect(try await bench.told() == told)
    #expect(await bench.faults().isEmpty)
  }

  @Test func `a task that returns itself fails`() async throws {
    let bench = try await bench(
      "local task task = moon.spawn(function() return task end) told(task.await, task)")
    let told = try await bench.told()
    #expect(told.count == 1 && told[0].contains("can't wait for itself"), "\(told)")
  }

  @Test(arguments: [
    // It fails in the turn in which the other one ends.
    (
      "moon.race { function() moon.sleep(1) end, function() moon.sleep(1) error('lost', 0) end }",
      ["lost"]
    ),
    // It had failed before.
    (
      "local task = moon.spawn(function() error('lost', 0) end) moon.sleep(0) "
        + "pcall(moon.race, { function() return 1 end, task })", ["lost"]
    ),
    // It fails afterwards: a task is no function of the race, so that it goes on.
    ("moon.race { function() return 1 end, moon.spawn(fails) } moon.sleep(9)", ["no luck"]),
    // It is cancelled before it can.
    ("moon.race { function() return 1 end, fails } moon.sleep(9)", []),
    (
      "moon.race { function() return 1 end, function() local c <close> = closing 'shut' "
        + "moon.sleep(9) end }", ["shut"]
    ),
    (
      "moon.race { function() return 1 end, function() pcall(function() "
        + "local c <close> = closing 'shut' moon.sleep(9) end) end }", ["shut"]
    ),
    (
      "pcall(moon.all, { function() error 'x' end, function() local c <close> = closing 'shut' "
        + "moon.sleep(9) end })", ["shut"]
    ),
    (
      "pcall(moon.timeout, 1, function() local c <close> = closing 'shut' moon.sleep(9) end)",
      ["shut"]
    ),
    (
      "local task = moon.spawn(function() local c <close> = closing 'shut' moon.sleep(9) end) "
        + "moon.sleep(0) task:cancel()", ["shut"]
    ),
  ])
  func `the error of what loses a race is a fault, unless it is cancelled before`(
    effect: String, lost: [String]
  ) async throws {
    let bench = try await TaskBench(effect: Self.preamble + "\n" + effect + "\ntell('on')")
    var faults = try await bench.go().faults
    await bench.pass(1)
    faults += await bench.faults()
    await bench.pass(9)
    faults += await bench.faults()
    #expect(faults.map { "\($0.reason)" } == lost.map { "raised(\"\($0)\")" })
    #expect(faults.allSatisfy { $0.registration.kind == .effect && $0.place?.file == "m.lua" })
    #expect(try await bench.told() == ["on"])
  }
}
