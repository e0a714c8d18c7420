import MoonTestSupport
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

  /// A module with little in it.
  private static let small = """
    return {
      state = { n = 0, kind = 'todo', tags = { 'x' } },
      shape = { n = 'integer', kind = 'todo|done', tags = 'string[]' },
      derive = { 'set', 'append' },
      actions = { go = { to = 'any' } },
    }
    """

  @Test(
    arguments: [
      ("m/set_kind", "later", #"m.kind is "later", and must be "todo" or "done""#),
      ("m/append_tags", 5, "m.tags[2] is 5, and must be a string"),
    ] as [(String, Value, String)])
  func `derived reducers keep to it`(type: String, value: Value, problem: String) async throws {
    let bench = try await Bench(["m.lua": Self.small])
    let before = try await bench.state()
    let error = await bench.failure(of: type, ["value": value])
    #expect("\(error as Any)".contains("the state doesn't fit its shape: \(problem)"))
    #expect(try await bench.state() == before)
    try await bench.dispatch("m/set_kind", ["value": "done"])
    try await bench.dispatch("m/append_tags", ["value": "y"])
    #expect(try await bench.state("m.tags") == ["x", "y"])
  }

  @Test func `a reducer of the whole state keeps to the shapes of all modules`() async throws {
    var options = Bench.quiet
    options.grants.allowed = [Grants.Rule(try Scope(parsing: "state:m"))]
    let bench = try await Bench(
      [
        "a.lua": """
        return {
          needs = { 'state:m' }, state = { runs = 0 }, actions = { go = { to = 'any' } },
          reduce_all = { ['a/go'] = function(s, p) s.a.runs = s.a.runs + 1 s.m.n = p.to end } }
        """, "m.lua": Self.small,
      ], options: options)
    let error = await bench.failure(of: "a/go", ["to": "x"])
    #expect("\(error as Any)".contains(#"m.n is "x", and must be an integer"#))
    #expect(try await bench.state("a.runs") == 0)
    try await bench.dispatch("a/go", ["to": 3])
    #expect(try await bench.state("m.n") == 3)
  }

  @Test func `a reload that the slice doesn't fit is refused, unless the version is raised`()
    async throws
  {
    let bench = try await Bench(["m.lua": Self.small])
    try await bench.dispatch("m/set_kind", ["value": "done"])
    let smaller = """
      return { VERSION
        state = { n = 0, kind = 'todo' }, shape = { n = 'integer', kind = 'todo|done' },
        derive = { 'set' },
      }
      """
    try bench.folder.save("m.lua", smaller.replacing("VERSION", with: ""))
    await bench.host.reload()
    let problems = try await bench.info("m")?.problems.map { "\($0)" } ?? []
    #expect(problems.contains { $0.contains("can't go on with its state") }, "\(problems)")
    #expect(problems.contains { $0.contains("there is no field 'm.tags'") }, "\(problems)")
    try await bench.dispatch("m/set_n", ["value": 2])
    #expect(try await bench.state("m.tags") == ["x"])
    try bench.folder.save("m.lua", smaller.replacing("VERSION", with: "version = 2,"))
    await bench.host.reload()
    #expect(try await bench.state("m") == ["n": 0, "kind": "todo"])
  }

  @Test func `a restored slice of another shape is put aside, and stays there`() async throws {
    let bench = try await Bench(["m.lua": Self.small])
    let name = try #require(ModuleName("m"))
    let id = try await bench.host.openSession(
      restoring: ["m": ["n": "x", "kind": "todo", "tags": []]])
    #expect(await bench.host.state(of: id)?["m"] == ["n": 0, "kind": "todo", "tags": ["x"]])
    #expect(await bench.host.keptSlices(of: id).map { $0.value["n"] } == ["x"])
    let problem = #"the state doesn't fit its shape: m.n is "x", and must be an integer"#
    #expect(
      try await bench.events.upTo("slice").last?.contains("misshapen: \(problem)") ?? false)
    let before = await bench.host.savedState(of: id)
    do throws(SliceError) {
      try await bench.host.carryOut(.restore(name, version: 1), in: id)
      Issue.record("restored")
    } catch {
      #expect(error.description == "the slice can't be that of m: \(problem)")
    }
    #expect(await bench.host.savedState(of: id) == before)
    let other = try await bench.host.openSession(
      restoring: ["m": ["n": 5, "kind": "done", "tags": []]])
    #expect(await bench.host.state(of: other)?["m"]?["n"] == 5)
  }

  @Test func `a module in Swift has a shape, too`() async throws {
    @Sendable func module(_ state: Value) throws -> Module {
      var module = Module(name: try #require(ModuleName("s")), state: state)
      module.shape = PayloadSchema(
        fields: [try #require(PayloadSchema.Field(name: "n", type: "integer"))])
      module.reducers = [Reducer(.exact("s/set")) { state, action in state = action.payload }]
      return module
    }
    let bench = try await Bench(adding: [{ try module(["n": 1]) }])
    try await bench.dispatch("s/set", ["n": 2])
    let error = await bench.failure(of: "s/set", ["n": true])
    #expect("\(error as Any)".contains("s.n is true, and must be an integer"))
    #expect(try await bench.state("s") == ["n": 2])
    await #expect(throws: HostError.self) {
      _ = try await Bench(adding: [{ try module(["m": 1]) }])
    }
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
