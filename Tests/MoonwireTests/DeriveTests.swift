import Moonwire
import Testing

/// Actions and reducers derived from the state.
@Suite(.timeLimit(.minutes(2))) struct DeriveTests {
  private static let state = """
    state = { count = 1, ratio = 0.5, name = "a", done = false, items = {}, list = { 1 },
      info = { a = 1 }, maybe = require("moonwire").null },
    """

  private func bench(_ derive: String) async throws -> Bench {
    try await Bench(["m.lua": "return { \(Self.state)\n  derive = \(derive),\n}"])
  }

  @Test func `set, toggle and append are made for the fields that they fit`() async throws {
    let bench = try await bench("{ 'set', 'toggle', 'append' }")
    let actions = await bench.host.actionInfos(of: ModuleName("m"))
    #expect(
      actions.map { info in
        let fields = (info.schema?.fields ?? []).map { "\($0.name)=\($0.type)" }
        return ([info.type] + fields).joined(separator: " ")
      } == [
        "m/append_items value=any", "m/append_list value=any", "m/set_count value=integer",
        "m/set_done value=boolean", "m/set_info value=map", "m/set_items value=list|map",
        "m/set_list value=list", "m/set_maybe value=any", "m/set_name value=string",
        "m/set_ratio value=number", "m/toggle_done",
      ])
    #expect(actions.filter(\.isDerived).count == actions.count)
    let info = try #require(try await bench.info("m"))
    #expect(info.registrations.filter { $0.place?.line == 3 }.count == 11)
  }

  @Test(
    arguments: [
      ("m/set_count", ["value": 5], "count", "5"),
      ("m/set_maybe", ["value": "x"], "maybe", "\"x\""),
      ("m/set_ratio", ["value": 2], "ratio", "2"), ("m/toggle_done", nil, "done", "true"),
      ("m/append_items", ["value": 7], "items", "[7]"),
      ("m/append_list", ["value": ["a": 1]], "list", "[1,{\"a\":1}]"),
    ] as [(String, Value, String, String)])
  func `they change their field`(
    type: String, payload: Value, field: String, text: String
  ) async throws {
    let bench = try await bench("{ 'set', 'toggle', 'append' }")
    try await bench.dispatch(type, payload)
    #expect(try await bench.state("m.\(field)")?.canonicalText == text)
  }

  @Test(
    arguments: [
      ("m/set_count", ["value": "x"]), ("m/set_count", nil), ("m/set_count", ["value": 1, "x": 2]),
      ("m/toggle_done", ["value": true]), ("m/append_list", nil),
    ] as [(String, Value)])
  func `a payload that doesn't fit is refused as any is`(
    type: String, payload: Value
  ) async throws {
    let bench = try await bench("{ 'set', 'toggle', 'append' }")
    guard case .invalidPayload = await bench.failure(of: type, payload) else {
      Issue.record("it was taken")
      return
    }
  }

  @Test func `fields can be named, and what the module has itself stays`() async throws {
    let bench = try await Bench([
      "m.lua": """
      return { \(Self.state)
        actions = { set_count = { "Mine", to = "integer" }, set_name = "Declared only" },
        reducers = { set_count = function(s, p) s.count = p.to * 2 end },
        derive = { set = { "count", "name" }, toggle = true },
      }
      """
    ])
    let actions = await bench.host.actionInfos(of: ModuleName("m"))
    #expect(actions.map(\.type) == ["m/set_count", "m/set_name", "m/toggle_done"])
    #expect(actions.map(\.isDerived) == [false, false, true])
    #expect(actions.map(\.description) == ["Mine", "Declared only", "Turns done on or off"])
    try await bench.dispatch("m/set_count", ["to": 4])
    #expect(try await bench.state("m.count") == 8)
    try await bench.dispatch("m/set_name", ["value": "b"])
    #expect(try await bench.state("m.name") == "b")
  }

  @Test func `what has become something else is a fault, and a quota holds`() async throws {
    var options = Bench.quiet
    options.stateQuota = 5_000
    let bench = try await Bench(
      [
        "m.lua": """
        return { state = { on = true, items = {}, text = "" }, derive = { "set", "toggle", "append" },
          reducers = { spoil = function(s) s.on = "x" s.items = { a = 1 } end } }
        """
      ], options: options)
    let long = Value.string(Text(String(repeating: "x", count: 9_000)))
    guard case .fault(let large) = await bench.failure(of: "m/set_text", ["value": long]) else {
      Issue.record("the quota doesn't hold")
      return
    }
    #expect("\(large)".contains("would take more than"))
    try await bench.dispatch("m/spoil")
    for (type, payload) in [("m/toggle_on", nil), ("m/append_items", ["value": 1])]
      as [(String, Value)]
    {
      guard case .fault(let fault) = await bench.failure(of: type, payload) else {
        Issue.record("\(type)")
        return
      }
      #expect(fault.place?.description == "m.lua:1")
    }
  }

  static let wrong: [(String, ModuleProblem.Reason)] = [
    ("{ 'sett' }", .unknownKey("derive.sett", nearest: "set")),
    ("{ sett = true }", .unknownKey("derive.sett", nearest: "set")),
    ("5", .wrongKind(key: "derive", expected: "a table such as { \"set\" }", found: "a number")),
    ("{ 5 }", .wrongKind(key: "derive[1]", expected: "a string", found: "a number")),
    (
      "{ set = 'count' }",
      .wrongKind(key: "derive.set", expected: "true or a list of fields", found: "a string")
    ),
    (
      "{ set = { 'cuont' } }", .notDerived(.set, .unknownField("cuont", nearest: "count"))
    ),
    (
      "{ toggle = { 'count' } }",
      .notDerived(.toggle, .wrongField("count", .toggle, found: "an integer"))
    ),
    (
      "{ append = { 'info' } }", .notDerived(.append, .wrongField("info", .append, found: "a map"))
    ),
  ]

  @Test(arguments: wrong)
  func `what can't be derived is said with its line`(
    derive: String, reason: ModuleProblem.Reason
  ) async throws {
    let bench = try await bench(derive)
    let problems = try #require(try await bench.info("m")?.problems)
    #expect(problems.map(\.reason) == [reason])
    #expect(problems.map(\.place.line) == [3])
  }

  @Test func `a module without fields has nothing to derive from`() async throws {
    let bench = try await Bench(["m.lua": "return {\n  derive = { 'set' },\n}"])
    #expect(
      try await bench.info("m")?.problems.map(\.reason) == [.notDerived(.set, .noFields)])
  }

  @Test func `a module in Swift derives likewise`() async throws {
    let bench = try await Bench(adding: [
      {
        try Module("s", state: ["on": false, "items": .list(List())]) { module in
          try module.derive([Derivation(.toggle), Derivation(.append, of: ["items"])])
        }
      }
    ])
    try await bench.dispatch("s/toggle_on")
    try await bench.dispatch("s/append_items", ["value": 1])
    #expect(await bench.canonicalState() == #"{"s":{"items":[1],"on":true}}"#)
    #expect(throws: DerivationError.unknownField("of", nearest: "on")) {
      try Module("s", state: ["on": false]) { try $0.derive([Derivation(.set, of: ["of"])]) }
    }
  }
}
