import Moonwire
import Testing

/// Observers with `debounce` and `throttle`.
@Suite(.timeLimit(.minutes(2))) struct PacedObserverTests {
  /// Makes a bench whose module `m` tells what its observer of `m.n` receives.
  private func bench(_ pace: String) async throws -> TaskBench {
    try await TaskBench([
      "m.lua": Self.module(pace)
    ])
  }

  private static func module(_ pace: String) -> String {
    """
    local moon = require "moonwire"
    return { state = { n = 0, told = moon.list() },
      reducers = { set = function(s, p) s.n = p.n end,
        tell = function(s, p) s.told[#s.told + 1] = p.text end },
      observe = { ["m.n"] = { \(pace), run = function(new, old, self)
        self.dispatch("tell", { text = tostring(old) .. "→" .. tostring(new) }) end } } }
    """
  }

  private func set(_ bench: TaskBench, _ values: Int64...) async throws {
    for value in values { try await bench.dispatch("m/set", ["n": .int(value)]) }
  }

  @Test func `debounce calls once when nothing has changed for the time`() async throws {
    let bench = try await bench("debounce = 2")
    try await set(bench, 1, 2)
    await bench.pass(1)
    try await set(bench, 3)
    await bench.pass(1)
    #expect(try await bench.told() == [], "counted from the last change")
    await bench.pass(1)
    #expect(try await bench.told() == ["0→3"])
    try await set(bench, 4)
    await bench.pass(2)
    #expect(try await bench.told() == ["0→3", "3→4"])
    #expect(await bench.waits().isEmpty)
  }

  @Test func `throttle calls at once, then once for each time in which something changed`()
    async throws
  {
    let bench = try await bench("throttle = 2")
    try await set(bench, 1, 2, 3)
    #expect(try await bench.told() == ["0→1"])
    await bench.pass(1)
    try await set(bench, 4)
    await bench.pass(1)
    #expect(try await bench.told() == ["0→1", "1→4"])
    try await set(bench, 5)
    #expect(try await bench.told().count == 2)
    await bench.pass(2)
    #expect(try await bench.told() == ["0→1", "1→4", "4→5"])
    await bench.pass(2)
    #expect(await bench.waits().isEmpty)
    try await set(bench, 6)
    #expect(try await bench.told().last == "5→6")
  }

  @Test(arguments: ["debounce = 2", "throttle = 2"])
  func `what changes back in the meantime isn't delivered`(pace: String) async throws {
    let bench = try await bench(pace)
    try await set(bench, 1, 0, 1, 0)
    await bench.pass(2)
    #expect(try await bench.told().contains("0→0") == false)
  }

  @Test func `with same, what is alike doesn't count`() async throws {
    let bench = try await bench(
      "debounce = 2, same = function(new, old) return new // 10 == old // 10 end")
    try await set(bench, 5)
    #expect(await bench.waits().isEmpty)
    try await set(bench, 15)
    await bench.pass(2)
    #expect(try await bench.told() == ["5→15"])
  }

  @Test(arguments: ["debounce = 2", "throttle = 2"])
  func `what is pending is delivered at the end of the session`(pace: String) async throws {
    let bench = try await bench(pace)
    try await set(bench, 1, 2)
    let saved = await bench.host.closeSession(bench.session)
    let told = saved?.slices["m"]?["told"]
    #expect(told?.listValue?.last?.stringValue?.hasSuffix("→2") == true)
  }

  @Test func `a reload drops it`() async throws {
    let bench = try await bench("debounce = 2")
    try await set(bench, 1)
    await bench.host.reload(ModuleName("m"))
    #expect(await bench.waits().isEmpty)
    await bench.pass(5)
    #expect(try await bench.told() == [])
    try await set(bench, 2)
    await bench.pass(2)
    #expect(try await bench.told() == ["1→2"])
  }

  @Test(arguments: ["debounce = 2", "throttle = 2"])
  func `it is dropped without a fault when the module's code is ended`(pace: String) async throws {
    var options = Bench.quiet
    options.budgets = Budgets(all: .milliseconds(100))
    let loop = "effects = { loop = function() while true do end end },"
    let bench = try await TaskBench(
      ["m.lua": Self.module(pace).replacing("reducers =", with: loop + " reducers =")],
      options: options)
    try await set(bench, 1, 2)
    let before = try await bench.told()
    #expect(try await bench.dispatch("m/loop").faults.count == 1)
    await bench.pass(5)
    #expect(try await bench.told() == before)
    try await set(bench, 3)
    await bench.pass(2)
    #expect(try await bench.told() == before + ["2→3"], "changes are delivered as before")
    #expect(await bench.faults().isEmpty)
    _ = await bench.host.closeSession(bench.session)
    #expect(try await bench.bench.info("m")?.status == .running)
  }

  @Test(arguments: ["debounce = 2", "throttle = 2"])
  func `a call that fails is a fault, and the next change is delivered`(pace: String) async throws {
    let failing = "run = function(new, old, self) if new == 2 then error('no luck', 0) end"
    let bench = try await TaskBench([
      "m.lua": Self.module(pace).replacing("run = function(new, old, self)", with: failing)
    ])
    try await set(bench, 1, 2)
    await bench.pass(2)
    #expect(await bench.faults().map { "\($0.reason)" } == ["raised(\"no luck\")"])
    try await set(bench, 3)
    await bench.pass(2)
    #expect(try await bench.told().last == "2→3")
  }

  @Test func `another module's reload leaves it alone`() async throws {
    let bench = try await TaskBench([
      "m.lua": Self.module("debounce = 2"), "other.lua": "return {}",
    ])
    try await set(bench, 1)
    await bench.host.reload(ModuleName("other"))
    try await set(bench, 2)
    #expect(await bench.waits().count == 1)
    await bench.pass(2)
    #expect(try await bench.told() == ["0→2"])
  }

  @Test(arguments: [
    ("debounce = 'x'", "debounce"), ("throttle = 0", "throttle"), ("debounce = -1", "debounce"),
    ("debounce = 1, throttle = 1", "both"), ("throttle = 1/0", "throttle"),
  ])
  func `a wrong pace is a problem of the module`(pace: String, word: String) async throws {
    let bench = try await bench(pace)
    let problems = try #require(try await bench.bench.info("m")?.problems)
    #expect(problems.count == 1)
    #expect(problems.first.map { "\($0)" }?.contains(word) == true)
  }
}
