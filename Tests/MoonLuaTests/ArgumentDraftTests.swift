import MoonLua
import MoonValues
import Testing

@Suite struct ArgumentDraftTests {
  static let route: Value = [
    "url": "/page/top?tag=a", "params": ["name": "top", "tags": ["a", "b"]], "number": 7,
  ]

  static func answer(_ body: String, _ route: Value = route) throws(LuaError) -> Value? {
    let lua = try TestMachine()
    let function = try lua.function("return function(route) \(body)\nend")
    return try lua.machine.answer(function, [.draft(route, name: "route")], limits: lua.limits)
  }

  @Test(
    arguments: [
      ("return route.params.name", "top" as Value), ("return type(route.params)", "table"),
      ("return #route.params.tags", 2),
      ("return route.missing == nil", true),
      ("local n = 0 for _ in pairs(route) do n = n + 1 end return n", 3),
      ("return next(route.params)", "name"), ("return table.concat(route.params.tags, '+')", "a+b"),
      ("return route", route), ("return {made = route.params}", ["made": route["params"] ?? .null]),
      ("return route == route and route.params == route.params", true),
    ] as [(String, Value)])
  func `a function reads a draft like a table`(body: String, expected: Value) throws {
    #expect(try Self.answer(body) == expected)
  }

  @Test(
    arguments: [.null, 1, "/page", true, 0.5, [], [:], [1, [2]], ["a": ["b": [:]]]] as [Value])
  func `any value arrives as it is`(value: Value) throws {
    #expect(try Self.answer("return route", value) == value)
  }

  @Test func `changes are seen by the function alone`() throws {
    let changed = try Self.answer(
      """
      route.url, route.params.name, route.more = nil, 'spoilt', {1}
      table.insert(route.params.tags, 'c')
      return route
      """)
    #expect(
      changed == [
        "params": ["name": "spoilt", "tags": ["a", "b", "c"]], "number": 7, "more": [1],
      ])
    #expect(try Self.answer("return route") == Self.route)
  }

  @Test func `each call gets the value as it is, whatever another has done to it`() throws {
    let lua = try TestMachine()
    let spoil = try lua.function(
      "return function(route) local was = route.params.n route.params.n = 0 return was end")
    let routes: [Value] = [["params": ["n": 1]], ["params": ["n": 2]]]
    for number in [0, 0, 1, 0] {
      let answer = try lua.machine.answer(
        spoil, [.draft(routes[number], name: "route")], limits: lua.limits)
      #expect(answer == routes[number]["params"]?["n"])
    }
  }

  @Test func `a draft can't be used when the function has returned`() throws {
    let lua = try TestMachine()
    let keep = try lua.function(
      "return function(route) local was = kept and kept.url kept = route return was end")
    func call() throws(LuaError) -> Value? {
      try lua.machine.answer(keep, [.draft(Self.route, name: "route")], limits: lua.limits)
    }
    #expect(try call() == nil)
    #expect(
      report(call)?.message
        == "this part of the state, the payload or the route was kept from an earlier call; "
        + "it can be used only until that call returned (copy what you need)")
  }

  @Test func `a mistake in a draft is named by its path`() {
    let found = report { () throws(LuaError) in try Self.answer("route.params.name = type") }
    #expect(found?.message == "route.params.name: a function can't be kept in the state")
  }

  @Test(arguments: ["return {made = route.params}", "return {made = {route.params.x}}"])
  func `a result isn't a number that no script can make`(body: String) {
    let route: Value = ["params": ["x": .double(.nan)]]
    let found = report { () throws(LuaError) in try Self.answer(body, route) }
    #expect(found?.message.hasPrefix("made") == true, "\(String(describing: found))")
    #expect(found?.message.contains("a number that is not a number (0/0)") == true)
  }

  @Test func `a result is nested no deeper than the state`() throws {
    var route: Value = "deep"
    for _ in 0..<Value.stateDepthMax - 1 { route = [route] }
    let body = "local made = route for _ = 1, 10 do made = {made} end return made"
    let found = report { () throws(LuaError) in try Self.answer(body, route) }
    #expect(found?.message.hasPrefix("nesting deeper than") == true, "\(String(describing: found))")
    #expect(try Self.answer("return route", route) == route)
  }

  @Test func `what edits another draft may store parts`() throws {
    let lua = try TestMachine()
    let present = try lua.function(
      """
      return function(screen, route)
        screen.props = route.params
        route.params.name = 'later'
        screen.props.count = #route.params.tags
      end
      """)
    let edit = try lua.machine.edit(
      present, ["title": "Page"], name: "screen", limits: lua.limits
    ) { $0.append(.draft(Self.route, name: "route")) }
    #expect(edit.answer == nil)
    #expect(
      edit.draft == ["title": "Page", "props": ["name": "top", "tags": ["a", "b"], "count": 2]])
  }

  @Test func `what edits another draft can't store a number that no script can make`() throws {
    let lua = try TestMachine()
    let present = try lua.function(
      "return function(screen, route) screen.props = route.params end")
    let found = report { () throws(LuaError) in
      try lua.machine.edit(present, [:], name: "screen", limits: lua.limits) {
        $0.append(.draft(["params": ["x": .double(.nan)]], name: "route"))
      }
    }
    #expect(
      found?.message
        == "screen.props.x: a number that is not a number (0/0) can't be kept in the state")
  }
}
