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
}
