import Moonwire
import Testing

/// The rules for middleware, and the reports of violations.
struct MiddlewareTests {
  private static let counter = """
    return { state = { n = 0 }, reducers = {
      add = function(s, p) s.n = s.n + (p.by or 1) end } }
    """

  private static func gate(_ body: String) -> String {
    """
    return { middleware = { on = "counter/*", run = function(action, state)
      \(body)
    end } }
    """
  }

  @Test func `an action that nobody takes is the fault of the middleware that made it`()
    async throws
  {
    let bench = try await Bench([
      "counter.lua": Self.counter, "gate.lua": Self.gate("return { type = 'counter/ad' }"),
    ])
    guard case .fault(let fault) = await bench.failure(of: "counter/add") else {
      Issue.record("the middleware isn't named")
      return
    }
    #expect(
      fault.summary
        == "gate middleware counter/* gate.lua:1 raised(\"no module knows the action counter/ad; "
        + "did you mean counter/add?\")")
    #expect(try await bench.state("counter.n") == 0)
  }

  @Test func `a payload that doesn't fit is, too`() async throws {
    let bench = try await Bench([
      "counter.lua": """
      return { actions = { add = { by = "integer" } }, state = {},
        reducers = { add = function() end } }
      """,
      "gate.lua": Self.gate("action.payload.by = 'x' return { action }"),
    ])
    guard case .fault(let fault) = await bench.failure(of: "counter/add", ["by": 1]) else {
      Issue.record("the middleware isn't named")
      return
    }
    #expect(fault.module == "gate")
  }

  @Test(arguments: ["return false", "return {}"])
  func `an outcome names the middleware that stopped an action`(answer: String) async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "gate.lua": Self.gate("if action.payload.by == 0 then \(answer) end"),
    ])
    let stopped = try await bench.dispatch("counter/add", ["by": 0]).stopped
    #expect(stopped.map { "\($0.action.type) \($0.module)" } == ["counter/add gate"])
    #expect(stopped.first?.place == SourcePlace(file: "gate.lua", line: 1))
    #expect(try await bench.dispatch("counter/add", ["by": 1]).stopped.isEmpty)
  }

  @Test(arguments: ["", "return true", "return nil"])
  func `an action that is changed and not returned is an error`(answer: String) async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter, "gate.lua": Self.gate("action.payload.by = 5 \(answer)"),
    ])
    guard case .fault(let fault) = await bench.failure(of: "counter/add") else {
      Issue.record("nothing is said")
      return
    }
    #expect(fault.description.contains("changed the action and didn't return it"))
    #expect(try await bench.state("counter.n") == 0)
  }

  @Test(arguments: [
    ("action.payload.by = 5 return action", 5), ("action.payload = { by = 6 } return action", 6),
    ("action.payload.by = 7 return { action, action }", 14), ("return", 1), ("return true", 1),
    ("action.payload.by = 5 return false", 0), ("action.payload.by = nil", 1),
    ("local n = 0 for k in pairs(action) do n = n + 1 end", 1),
    ("local p = action.payload return { type = action.type, payload = p }", 1),
  ])
  func `one that is changed and returned, or only read, goes on`(
    body: String, count: Int64
  ) async throws {
    let bench = try await Bench(["counter.lua": Self.counter, "gate.lua": Self.gate(body)])
    try await bench.dispatch("counter/add")
    #expect(try await bench.state("counter.n") == .int(count))
  }

  @Test func `middleware of a family doesn't make misspelt actions of it known`() async throws {
    let bench = try await Bench(["counter.lua": Self.counter, "gate.lua": Self.gate("")])
    #expect(
      await bench.failure(of: "counter/ad") == .unknownType("counter/ad", nearest: "counter/add"))
  }

  @Test func `middleware of one action makes it known`() async throws {
    let bench = try await Bench([
      "counter.lua": Self.counter,
      "gate.lua": """
      return { middleware = { on = "counter/twice", run = function(action)
        return { { type = "counter/add" }, { type = "counter/add" } }
      end } }
      """,
    ])
    try await bench.dispatch("counter/twice")
    #expect(try await bench.state("counter.n") == 2)
  }
}
