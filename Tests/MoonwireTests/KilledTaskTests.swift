import Moonwire
import Testing

/// What others learn of tasks whose code is ended, since it took too long or too much memory.
@Suite(.timeLimit(.minutes(2))) struct KilledTaskTests {
  private static var impatient: HostOptions {
    var options = Bench.quiet
    options.budgets = Budgets(all: .milliseconds(100))
    return options
  }

  private static let preamble = "local function loop() while true do end end\n"
  private static let commands =
    "}, commands = { loop = function() while true do end end"

  @Test(arguments: [
    "moon.timeout(5, loop)", "moon.all { loop }",
    "moon.race { loop, function() moon.sleep(9) end }",
    "moon.spawn(loop):await()", "return moon.spawn(loop)", "self.call 'loop'",
    "pcall(moon.timeout, 5, loop)", "pcall(self.call, 'loop')",
    "moon.spawn(function() moon.timeout(5, loop) end):await()",
    "local task = moon.spawn(loop) moon.all { task, function() error 'first' end }",
  ])
  func `a task that takes too long is a fault, whatever of its module awaits it`(
    effect: String
  ) async throws {
    let bench = try await TaskBench(
      effect: Self.preamble + effect, more: Self.commands, options: Self.impatient)
    var faults = try await bench.go().faults
    await bench.pass(1)
    faults += await bench.faults()
    let slow = faults.filter { $0.reason == .timedOut(milliseconds: 100) }
    #expect(slow.count == 1, "\(faults)")
    #expect(slow.first?.module == "m" && slow.first?.place?.file == "m.lua")
    #expect(await bench.waits().isEmpty)
    try await bench.dispatch("m/tell", ["text": "on"])
    #expect(try await bench.told() == ["on"])
  }

  @Test func `so is one that takes too much memory`() async throws {
    let bench = try await TaskBench(
      effect: """
        moon.timeout(5, function() local t = {} while true do t[#t + 1] = { {}, {} } end end)
        """)
    let faults = try await bench.go().faults + bench.faults()
    #expect(faults.count == 1)
    guard case .outOfQuota = faults.first?.reason else {
      Issue.record("\(faults)")
      return
    }
  }

  /// Makes a bench whose effect `m/go` tells what calling a command of another module gives.
  private func bench(calling command: String) async throws -> TaskBench {
    try await TaskBench(
      [
        "srv.lua": """
        local moon = require "moonwire"
        local function loop() while true do end end
        return { state = {}, effects = { loop = loop },
          commands = {
            slow = function() moon.sleep(1) return "answer" end,
            bad = function() return moon.timeout(5, loop) end,
            loop = loop,
          } }
        """,
        "m.lua": TaskBench.module(
          effect: """
            local done, found = pcall(self.call, "\(command)")
            tell(tostring(done), tostring(found))
            """),
      ], options: Self.impatient)
  }

  @Test func `a command whose code is ended meanwhile has no answer`() async throws {
    let bench = try await bench(calling: "srv/slow")
    try await bench.go()
    let faults = try await bench.dispatch("srv/loop").faults
    #expect(faults.map(\.reason) == [.timedOut(milliseconds: 100)])
    let told = try await bench.told()
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix("false") == true)
    #expect(told.first?.contains("the command srv/slow was cancelled") == true, "\(told)")
    try await bench.go()
    await bench.pass(1)
    #expect(try await bench.told().last == "true answer")
  }

  @Test func `nor has one whose own task is ended, which is a fault as well`() async throws {
    let bench = try await bench(calling: "srv/bad")
    let faults = try await bench.go().faults + bench.faults()
    #expect(faults.map(\.reason) == [.timedOut(milliseconds: 100)])
    #expect(faults.first?.module == "srv" && faults.first?.place?.file == "srv.lua")
    let told = try await bench.told()
    #expect(told.first?.contains("the command srv/bad was cancelled") == true, "\(told)")
  }

  @Test func `the caller of a command in another module hears that it took too long`()
    async throws
  {
    let bench = try await bench(calling: "srv/loop")
    let faults = try await bench.go().faults + bench.faults()
    #expect(faults.isEmpty, "the caller has caught it")
    let told = try await bench.told()
    #expect(told.first?.hasPrefix("false") == true)
    #expect(told.first?.contains("ran longer than 100 ms") == true, "\(told)")
  }
}
