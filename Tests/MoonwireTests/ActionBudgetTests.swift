import MoonTestSupport
import Moonwire
import Testing

/// The time budget of all modules' code for one action.
struct ActionBudgetTests {
  /// Returns a module with slow observers; it counts `calls` of them.
  private static func slow(_ observers: Int) -> String {
    let entries = (1...observers).map {
      """
      ["slow.at\($0)"] = function(_, _, self)
          for i = 1, 1000 do end
          self.dispatch("called")
        end,
      """
    }.joined(separator: "\n")
    let writes = (1...observers).map { "s.at\($0) = s.at\($0) + 1" }.joined(separator: " ")
    let fields = (1...observers).map { "at\($0) = 0" }.joined(separator: ", ")
    return """
      return { state = { calls = 0, \(fields) },
        reducers = { go = function(s) \(writes) end,
          called = function(s) s.calls = s.calls + 1 end },
        observe = { \(entries) } }
      """
  }

  private static let light = """
    return { state = { calls = 0 }, reducers = { called = function(s) s.calls = s.calls + 1 end },
      observe = { ["slow.at1"] = function(_, _, self) self.dispatch("called") end } }
    """

  private static func bench(_ budget: Duration, observers: Int = 10) async throws -> Bench {
    var options = Bench.quiet
    options.actionBudget = budget
    options.faultsMax = 0
    return try await Bench(
      ["slow.lua": slow(observers), "zlight.lua": light], options: options)
  }

  @Test func `once it is spent, a module that used more than a tenth isn't called any more`()
    async throws
  {
    let bench = try await Self.bench(.nanoseconds(10))
    let outcome = try await bench.dispatch("slow/go")
    let refused = outcome.faults.filter { $0.reason == .actionTimeSpent(milliseconds: 0) }
    #expect(refused.count == outcome.faults.count)
    #expect(refused.map(\.module) == Array(repeating: "slow", count: refused.count))
    // The first two calls of an action aren't measured: here the reducer and an observer.
    #expect(refused.count == 8)
    #expect(try await bench.state("slow.calls") == 2)
    #expect(try await bench.state("slow.at10") == 1, "what was reduced stays")
  }

  @Test func `others are called all the same`() async throws {
    let bench = try await Self.bench(.nanoseconds(10))
    try await bench.dispatch("slow/go")
    #expect(try await bench.state("zlight.calls") == 1)
  }

  @Test func `the next action starts over`() async throws {
    let bench = try await Self.bench(.nanoseconds(10))
    for _ in 0..<3 { try await bench.dispatch("slow/go") }
    #expect(try await bench.state("slow.at10") == 3)
    #expect(try await bench.state("slow.calls") == 6)
  }

  @Test(arguments: [
    Duration.zero, .seconds(60), .seconds(-1), .seconds(9_223_372_036) + .nanoseconds(999_999_999),
    .seconds(Int64.max), .seconds(Int64.min),
  ])
  func `within it, or without one, all are called`(budget: Duration) async throws {
    let bench = try await Self.bench(budget)
    let outcome = try await bench.dispatch("slow/go")
    #expect(outcome.faults.isEmpty)
    #expect(try await bench.state("slow.calls") == 10)
  }

  @Test func `routes that decline one URL after the other have no more together`() async throws {
    var options = Bench.quiet
    options.actionBudget = .nanoseconds(10)
    let handlers = (1...20).map {
      "[\"/:a\($0)\"] = { priority = \($0), run = function() for i = 1, 1000 do end return false end },"
    }.joined(separator: "\n")
    let bench = try await Bench(
      ["m.lua": "return { handlers = { \(handlers) } }"], options: options)
    let error = await bench.routingError(of: "/x")
    #expect(error?.summary.contains("actionTimeSpent") == true, "\(error?.summary ?? "-")")
  }

  @Test func `the extensions of a screen have no more together than an action`() async throws {
    var options = Bench.quiet
    options.actionBudget = .nanoseconds(10)
    options.faultsMax = 0
    let bench = try await Bench(
      [
        "a.lua": """
        local ui = require "moonwire".ui
        return {
          routes = { ["/"] = { kind = "list", screen = function() return {} end } },
          views = { list = function() return {
            ui.slot "s", ui.slot "s", ui.slot "s", ui.slot "s", ui.slot "light" } end },
        }
        """,
        "b.lua": """
        return { extends = { ["a/list#s"] = function()
          for i = 1, 1000 do end
          return "drawn"
        end } }
        """,
        "c.lua": "return { extends = { [\"a/list#light\"] = function() return \"light\" end } }",
      ], options: options)
    try await bench.route("/")
    for _ in 0..<2 {
      let lines = await bench.host.shownScreen(in: bench.session)?.lines(width: 60).map(\.text)
      // The first two calls of a drawing aren't measured: here the view and one extension.
      #expect(lines?.count { $0 == "drawn" } == 2)
      #expect(lines?.contains("light") == true, "\(lines ?? [])")
    }
  }

  @Test func `what presenters do for all tabs has no more together than an action`() async throws {
    var options = Bench.quiet
    options.actionBudget = .milliseconds(500)
    options.faultsMax = 0
    let bench = try await Bench(
      [
        "t.lua": """
        local moon = require "moonwire"
        local called = 0
        return moon.module {
          state = { n = 0 }, actions = { set = {}, more = {} },
          commands = { called = function() return called end },
          reducers = { more = function(s) s.n = s.n + 1 end },
          routes = { ["/t/:i"] = function() return { kind = "t", title = "T" } end },
          title = { t = function(_, state)
            called = called + 1
            local start = os.clock()
            while state.n > 0 and os.clock() - start < 0.2 do end
            return "T" .. state.n
          end },
          views = { t = function() return "x" end },
          map_navigation = { set = function()
            local tabs = {}
            for i = 1, 8 do tabs[i] = "/t/" .. i end
            return moon.nav.set(moon.nav.tabs(tabs))
          end },
        }
        """
      ], options: options)
    try await bench.dispatch("t/set")
    let before = try await bench.host.call("t/called", in: bench.session).intValue ?? 0
    try await bench.dispatch("t/more")
    let count = try await bench.host.call("t/called", in: bench.session).intValue ?? 0
    #expect(count > before, "a title follows the state")
    #expect(count < before + 8)
  }

  @Test func `tasks that leave with their module have no more together than an action`()
    async throws
  {
    var options = Bench.quiet
    options.actionBudget = .nanoseconds(10)
    let module = """
      local moon = require "moonwire"
      return moon.module {
        state = { closed = 0 },
        reducers = { closed = function(s) s.closed = s.closed + 1 end },
        effects = { go = function(_, self)
          local closing <close> = setmetatable({}, { __close = function() self.dispatch "closed" end })
          moon.sleep(600)
        end },
      }
      """
    let bench = try await Bench(["m.lua": module], options: options)
    for _ in 0..<5 { try await bench.dispatch("m/go") }
    try bench.folder.save("m.lua", module + "\n")
    await bench.host.reload()
    #expect(try await bench.state("m.closed") == 1)
    #expect(await bench.host.taskInfos(of: bench.session).isEmpty)
  }

  @Test func `a change of the timeline that takes too long changes nothing`() async throws {
    var options = Bench.quiet
    options.followingBudget = .nanoseconds(1)
    options.timeline = .init(countMax: 100)
    let bench = try await Bench(
      ["m.lua": "return { state = { n = 0 }, reducers = { add = function(s) s.n = s.n + 1 end } }"],
      options: options)
    var ids: [Int64] = []
    for _ in 0..<5 { ids.append(try await bench.dispatch("m/add").id) }
    await #expect(throws: TimelineError.tookTooLong(milliseconds: 0)) {
      try await bench.host.carryOut(.skip(ids[0]..<ids[0] + 1, true), in: bench.session)
    }
    #expect(try await bench.state("m.n") == 5)
  }
}
