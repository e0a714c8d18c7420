import MoonTestSupport
import Moonwire
import Testing

/// Effects that run as long as their modules are in service.
@Suite(.timeLimit(.minutes(2))) struct KeptEffectTests {
  private static let watch = """
    watch = { keep = true, run = function(payload, self, action)
      tell(self, "begin " .. action.type)
      local closing <close> = setmetatable({}, { __close = function() tell(self, "end") end })
      while true do moon.sleep(1) tell(self, "tick") end
    end },
    """

  private static func module(_ effects: String, _ more: String = "") -> String {
    """
    local moon = require "moonwire"
    local function tell(self, text) self.dispatch("tell", { text = text }) end
    return moon.module {
      state = { told = moon.list() },
      reducers = { tell = function(s, p) s.told[#s.told + 1] = p.text end },
      effects = { \(effects) }, \(more)
    }
    """
  }

  private func reload(_ bench: TaskBench, _ text: String) async throws -> Reload? {
    try bench.bench.folder.save("m.lua", text)
    for event in await bench.host.reload(ModuleName("m")) {
      if case .reloaded(let reload) = event { return reload }
    }
    return nil
  }

  @Test func `a kept effect runs from the start of its module, and nobody waits for it`()
    async throws
  {
    let bench = try await TaskBench(["m.lua": Self.module(Self.watch)])
    await bench.pass(1)
    #expect(try await bench.told() == ["begin m/watch", "tick"])
    let tasks = await bench.host.taskInfos(of: bench.session)
    #expect(tasks.map(\.isKept) == [true] && tasks.map(\.endsWithoutAction) == [false])
    #expect(await bench.faults().isEmpty)
  }

  @Test func `no action starts it`() async throws {
    let bench = try await TaskBench(["m.lua": Self.module(Self.watch)])
    #expect(await bench.bench.failure(of: "m/watch") != nil)
    await bench.pass(1)
    #expect(try await bench.told() == ["begin m/watch", "tick"])
  }

  @Test func `a reload ends the tasks, begins the kept effects again, and tells of both`()
    async throws
  {
    let long = "long = function() moon.sleep(100) end,"
    let bench = try await TaskBench(["m.lua": Self.module(Self.watch + long)])
    await bench.pass(1)
    try await bench.dispatch("m/long")
    try await bench.dispatch("m/long")
    let reload = try await reload(bench, Self.module(Self.watch + long, "version = 1,"))
    #expect(reload?.endedTasks.map(\.name) == ["m/long", "m/long"])
    #expect(reload?.begunTasks.map(\.name) == ["m/watch"])
    await bench.pass(1)
    #expect(
      try await bench.told() == ["begin m/watch", "tick", "end", "begin m/watch", "tick"])
    #expect(await bench.waits() == ["1.0 s"])
  }

  @Test func `one that a reload adds begins, and one that it takes away ends`() async throws {
    let bench = try await TaskBench(["m.lua": Self.module("")])
    _ = try await reload(bench, Self.module(Self.watch))
    await bench.pass(1)
    #expect(try await bench.told() == ["begin m/watch", "tick"])
    let reload = try await reload(bench, Self.module(""))
    #expect(reload?.endedTasks.map(\.name) == ["m/watch"] && reload?.begunTasks == [])
    await bench.pass(1)
    #expect(try await bench.told() == ["begin m/watch", "tick", "end"])
  }

  @Test func `it ends with its module`() async throws {
    let bench = try await TaskBench(["m.lua": Self.module(Self.watch), "n.lua": "return {}"])
    try bench.bench.folder.remove("m.lua")
    _ = await bench.host.reload()
    #expect(await bench.host.taskInfos(of: bench.session).isEmpty)
  }

  @Test func `it ends with the suspension of its module, and begins again when it is resumed`()
    async throws
  {
    var options = Bench.quiet
    options.faultsMax = 1
    let bench = try await TaskBench(
      ["m.lua": Self.module(Self.watch + "fail = function() error('no') end,")],
      options: options)
    await bench.pass(1)
    try await bench.dispatch("m/fail")
    await bench.pass(1)
    #expect(await bench.waits().isEmpty)
    let name = try #require(ModuleName("m"))
    #expect(await bench.host.resume(name))
    await bench.pass(1)
    #expect(await bench.waits() == ["1.0 s"])
  }

  @Test(arguments: [
    ("keep = true, policy = 'latest'", "effects[\"watch\"].keep"),
    ("keep = true, durable = true", "effects[\"watch\"].keep"),
    ("keep = 1", "effects[\"watch\"].keep"),
  ])
  func `what doesn't go with it is refused`(rules: String, key: String) async throws {
    let bench = try await TaskBench([
      "m.lua": Self.module("watch = { \(rules), run = function() end },")
    ])
    let problems = try #require(try await bench.bench.info("m")).problems
    #expect(problems.count == 1 && "\(problems[0])".contains(key), "\(problems)")
  }

  @Test func `a family of actions is no name`() async throws {
    let bench = try await TaskBench([
      "m.lua": Self.module("[\"n/*\"] = { keep = true, run = function() end },")
    ])
    #expect(try #require(try await bench.bench.info("m")).problems.count == 1)
  }
}
