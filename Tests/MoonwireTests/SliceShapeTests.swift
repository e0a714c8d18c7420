import Moonwire
import Testing

/// `shape` declares the types of a slice, and reducers keep to them.
struct SliceShapeTests {
  private static func module(
    _ state: String = "{ items = moon.list(), counts = {}, n = 0 }", more: String = ""
  ) -> String {
    """
    local moon = require "moonwire"
    local Item = { id = "integer", kind = "todo|done", note = { "?", text = "string" } }
    return {
      state = \(state),
      shape = { items = { Item }, counts = { [string] = "integer" }, n = "integer" },
      settings = { kinds = { { "todo|done" }, "Kinds", default = { "todo" } } },
      actions = { add = { "Adds an item", item = Item }, set = { at = "string", to = "any?" } },
      commands = { check = { item = Item, run = function(p) return p.item.note == nil end } },
      reducers = {
        add = function(s, p) s.items[#s.items + 1] = p.item s.n = s.n + 1 end,
        set = function(s, p)
          if p.at == "n" then s.n = p.to
          elseif p.at == "kind" then s.items[1].kind = p.to
          elseif p.at == "count" then s.counts.x = p.to
          elseif p.at == "other" then s.other = p.to
          elseif p.at == "all" then return { items = moon.list(), counts = {}, n = p.to }
          elseif p.at == "many" then for i = 1, 200 do s.counts["k" .. i] = p.to end end
        end,
      }, \(more)
    }
    """
  }

  @Test(
    arguments: [
      ("n", "x", #"m.n is "x", and must be an integer"#),
      ("n", nil, "'m.n' is missing (integer)"),
      ("kind", "later", #"m.items[1].kind is "later", and must be "todo" or "done""#),
      ("count", 1.5, "m.counts.x is 1.5, and must be an integer"),
      ("other", 1, "there is no field 'm.other'"),
      ("all", true, "m.n is true, and must be an integer"),
      ("many", "x", #"m.counts.k1 is "x", and must be an integer"#),
    ] as [(String, Value, String)])
  func `a reducer that doesn't keep to the shape fails with the path`(
    at: String, to: Value, problem: String
  ) async throws {
    let bench = try await Bench(["m.lua": Self.module()])
    try await bench.dispatch("m/add", ["item": ["id": 1, "kind": "todo", "note": nil]])
    let before = try await bench.state()
    guard
      case .fault(let fault) = await bench.failure(
        of: "m/set", ["at": .string(Text(at)), "to": to])
    else {
      Issue.record("no fault")
      return
    }
    #expect(fault.description.contains("the state doesn't fit its shape: \(problem)"))
    #expect(fault.place?.file == "m.lua")
    #expect(try await bench.state() == before)
  }

  @Test(
    arguments: [("n", 5), ("kind", "done"), ("count", 2), ("all", 1), ("many", 3)]
      as [(String, Value)])
  func `a reducer that keeps to it changes the slice`(at: String, to: Value) async throws {
    let bench = try await Bench(["m.lua": Self.module()])
    try await bench.dispatch("m/add", ["item": ["id": 1, "kind": "todo"]])
    #expect(
      !(try await bench.dispatch("m/set", ["at": .string(Text(at)), "to": to]).summary.isEmpty))
  }

  @Test func `payloads, arguments of commands and settings have the same types`() async throws {
    let bench = try await Bench(["m.lua": Self.module()])
    let error = await bench.failure(of: "m/add", ["item": ["id": 1, "kind": "x"]])
    #expect("\(error as Any)".contains(#"item.kind is "x", and must be "todo" or "done""#))
    let item: Value = ["item": ["id": 1, "kind": "done", "note": nil]]
    #expect(try await bench.host.call("m/check", item, in: bench.session) == true)
    await #expect(throws: CommandError.self) {
      try await bench.host.call(
        "m/check", ["item": ["id": "1", "kind": "done"]], in: bench.session)
    }
  }

  @Test(arguments: [
    ("{ items = moon.list(), counts = {}, n = 'x' }", "", "m.n is \"x\", and must be an integer"),
    ("{}", "", "'m.n' is missing (integer)"),
    ("{ items = moon.list(), counts = {}, n = 0 }", "extra = 1", "extra"),
  ])
  func `a state without its shape isn't loaded`(
    state: String, more: String, problem: String
  ) async throws {
    let bench = try await Bench(["m.lua": Self.module(state, more: more)])
    let info = try #require(try await bench.info("m"))
    #expect(info.status == .failed)
    #expect(info.problems.contains { "\($0)".contains(problem) }, "\(info.problems)")
  }

  @Test func `null is nothing for an optional field, and refused for others`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return { state = { by = 0 },
        actions = { add = { by = "integer?", what = "any?" }, must = { what = "any" } },
        reducers = { add = function(s, p)
          s.by = p.by or 7
          if p.what ~= nil then s.by = 0 end
        end, must = function() end } }
      """
    ])
    try await bench.dispatch("m/add", ["by": nil, "what": nil])
    #expect(try await bench.state("m.by") == 7)
    let last = await bench.host.history(of: bench.session).entries.last
    #expect(last?.action.payload == .map(Map()))
    let error = await bench.failure(of: "m/must", ["what": nil])
    #expect("\(error as Any)".contains("'what' must be any, not null"))
  }
}
