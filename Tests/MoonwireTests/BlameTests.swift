import Moonwire
import Testing

/// The modules that faults count to.
struct BlameTests {
  /// A module that dispatches bad payloads to `v`, floods its effects, and dispatches its own.
  private static let sender = """
    return require("moonwire").module { state = {},
      actions = { bad = {}, many = {}, tick = {}, mixed = {} }, effects = {
        bad = function(_, self) for i = 1, 30 do self.dispatch("v/add", { by = {} }) end end,
        many = function(_, self) for i = 1, 200 do self.dispatch("v/wait") end end,
        mixed = function(_, self)
          for i = 1, 200 do self.dispatch("v/add", { by = i % 10 == 0 and {} or 1 }) end
        end } }
    """
  private static let receiver = """
    local moon = require "moonwire"
    return moon.module { state = { n = 0 }, actions = { add = "Adds", wait = {}, fail = {} },
      reducers = { add = function(s, p) s.n = s.n + p.by end },
      effects = { wait = function() moon.sleep(600) end, fail = function() error "no" end,
        ["a/tick"] = function() error "no" end } }
    """

  private static func bench() async throws -> Bench {
    var options = Bench.quiet
    options.tasks.countMax = 100
    return try await Bench(["a.lua": sender, "v.lua": receiver], options: options)
  }

  private static func suspended(_ bench: Bench) async -> [String] {
    await bench.host.moduleInfos().filter { $0.status == .suspended }.map(\.name.text)
  }

  @Test(arguments: ["a/bad", "a/many"])
  func `who sends what fails is suspended, and not who gets it`(action: String) async throws {
    let bench = try await Self.bench()
    try await bench.dispatch(action)
    #expect(await Self.suspended(bench) == ["a"])
    try await bench.dispatch("v/add", ["by": 1])
    #expect(try await bench.state("v.n") == 1)
  }

  @Test func `what a module's actions do right counts as well`() async throws {
    let bench = try await Self.bench()
    try await bench.dispatch("a/mixed")
    #expect(await Self.suspended(bench) == [])
    #expect(try await bench.state("v.n") == 180)
  }

  @Test func `nobody is suspended by those who listen to it, nor they by what they hear`()
    async throws
  {
    let bench = try await Bench([
      "a.lua": """
      return require("moonwire").module { actions = { go = {}, tick = {} }, effects = {
        go = function(_, self) for i = 1, 60 do self.dispatch("a/tick") end end } }
      """, "v.lua": Self.receiver,
    ])
    let outcome = try await bench.dispatch("a/go")
    #expect(outcome.faults.count == 60)
    #expect(await Self.suspended(bench) == [])
    let faults = await bench.host.moduleInfos().map { "\($0.name) \($0.faults)" }
    #expect(faults == ["a 0", "v 60"])
  }

  @Test func `what a person does counts to the module that fails`() async throws {
    let bench = try await Self.bench()
    for _ in 0..<20 { try await bench.dispatch("v/fail") }
    #expect(await Self.suspended(bench) == ["v"])
  }
}
