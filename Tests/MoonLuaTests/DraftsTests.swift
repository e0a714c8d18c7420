import MoonLua
import MoonTestSupport
import MoonValues
import Testing

@Suite struct DraftsTests {
  static let slice: Value = [
    "count": 1, "log": [1, ["x": 2], [3, 4]], "map": ["k": ["deep": [:]]], "ids": .map([5: "five"]),
    "long": "a text that is longer than fifteen bytes",
  ]

  static let lists: [(String, Value)] = [
    ("state.l[#state.l + 1] = 9", [1, 2, 3, 9]),
    ("table.insert(state.l, 1, 0)", [0, 1, 2, 3]),
    ("table.insert(state.l, 2, 'm')", [1, "m", 2, 3]),
    ("table.insert(state.l, 4, {})", [1, 2, 3, [:]]), ("table.remove(state.l)", [1, 2]),
    ("table.remove(state.l, 1)", [2, 3]), ("table.remove(state.l, 4)", [1, 2, 3]),
    ("table.sort(state.l, function(a, b) return a > b end)", [3, 2, 1]),
    ("state.l[2] = nil", .map([1: 1, 3: 3])), ("state.l[3] = nil", [1, 2]),
    ("state.l[2] = nil state.l[2] = 'back'", [1, "back", 3]),
    ("state.l[5] = 5", .map([1: 1, 2: 2, 3: 3, 5: 5])),
    ("state.l[5] = 5 state.l[4] = 4", [1, 2, 3, 4, 5]),
    ("state.l[0] = 0", .map([0: 0, 1: 1, 2: 2, 3: 3])),
    ("state.l[-1] = 0 state.l[-1] = nil", [1, 2, 3]),
    ("state.l = {} state.l[1] = 'a'", ["a"]), ("state.l = {} state.l[2] = 'a'", .map([2: "a"])),
    ("for i = 1, 3 do state.l[i] = nil end", [:]), ("table.move(state.l, 1, 2, 3)", [1, 2, 1, 2]),
    ("state.l[1.0] = 'one'", ["one", 2, 3]), ("rawset(state.l, 1, 'raw')", ["raw", 2, 3]),
    ("state.l = table.pack(table.unpack(state.l)).n", 3),
    ("state.l = table.concat(state.l, '-')", "1-2-3"),
    ("state.l = rawlen(state.l) + rawget(state.l, 1)", 4), ("state.l = moon.list()", []),
  ]

  static let results: [(String, Value)] = [
    ("return {n = 5}", ["n": 5]), ("return state", ["a": ["n": 1], "l": [1]]),
    ("return state.a", ["n": 1]), ("state.a.n = 2 return state.a", ["n": 2]),
    ("state.a.n = 2 return {inner = state.a, state = state.l}", ["inner": ["n": 2], "state": [1]]),
    ("return", ["a": ["n": 1], "l": [1]]), ("return nil", ["a": ["n": 1], "l": [1]]),
    ("return {state.a, state.a}", [["n": 1], ["n": 1]]), ("return {}", [:]),
    ("return moon.list()", []), ("return moon.list(moon.list {1})", [1]),
  ]

  @Test func `reading changes and copies nothing`() throws {
    let lua = try TestMachine()
    let after = try lua.reduce(
      Self.slice,
      """
      for k, v in pairs(state) do local _ = type(v) == 'table' and next(v) end
      local _ = state.log[2].x, #state.log, state.map.k.deep, table.unpack(state.log)
      local _ = state.nothing, state.log[9], state.log[-1], state.log.x, state.ids[1.5], state[nil]
      """)
    #expect(after.isIdentical(to: Self.slice))
  }

  @Test func `a write leaves all else the same nodes`() throws {
    let lua = try TestMachine()
    let after = try lua.reduce(Self.slice, "state.map.k.deep.new = 1")
    #expect(after["map"]?["k"]?["deep"] == ["new": 1])
    #expect(Self.slice["map"] == ["k": ["deep": [:]]])
    for name in ["log", "ids", "long"] {
      let (old, new) = try (#require(Self.slice[name]), #require(after[name]))
      #expect(new.isIdentical(to: old))
    }
  }

  @Test func `keys are told apart whose strings have had the same address`() throws {
    let lua = try TestMachine()
    let pairs = (1...300).map { (Key.string(Text("k\($0)")), Value.int(Int64($0))) }
    _ = try lua.reduce(
      .map(Map(pairs)),
      """
      for round = 1, 20 do
        for i = 1, 300 do
          local key = 'k' .. i -- a string that the collector frees, and whose place another gets
          for use = 1, 3 do assert(state[key] == i) end
          state[key] = -i
          assert(state['k' .. i] == -i)
          state[key] = i
        end
      end
      """)
  }

  @Test(arguments: lists)
  func `a list in a draft is a list of Lua's`(body: String, list: Value) throws {
    let lua = try TestMachine()
    #expect(try lua.reduce(["l": [1, 2, 3]], body)["l"] == list)
  }

  @Test func `removed texts are whole when the script gets them`() throws {
    let lua = try TestMachine()
    let after = try lua.reduce(
      ["l": []],
      """
      for i = 1, 50 do table.insert(state.l, ('text %03d '):format(i):rep(200)) end
      for i = 50, 1, -1 do
        local removed = table.remove(state.l)
        assert(removed == ('text %03d '):format(i):rep(200))
      end
      """)
    #expect(after.withoutEmptyLists == ["l": [:]])
  }

  @Test(arguments: [
    ("table.insert(state.l, 5, 1)", "bad argument #2 to 'insert' (position out of bounds)"),
    ("table.insert(state.l, 0, 1)", "bad argument #2 to 'insert' (position out of bounds)"),
    ("table.remove(state.l, 7)", "bad argument #2 to 'remove' (position out of bounds)"),
    ("table.insert(state.l)", "wrong number of arguments to 'insert'"),
    (
      "state.l.x = 1",
      "counter.l.x: a table with both integer and string keys can't be kept in the "
        + "state: give it one kind of key"
    ),
    (
      "state[1] = 1",
      "counter[1]: a table with both integer and string keys can't be kept in the "
        + "state: give it one kind of key"
    ),
    (
      "state.n = {[5] = 1} state.n.x = 2",
      "counter.n.x: a table with both integer and string keys can't be kept in the "
        + "state: give it one kind of key"
    ),
    (
      "state.m.self = state", "counter.m.self: a table that holds itself can't be kept in the state"
    ),
    ("state.m.k = state.m", "counter.m.k: a table that holds itself can't be kept in the state"),
    (
      "table.insert(state.l, state)",
      "counter.l[4]: a table that holds itself can't be kept in the state"
    ),
    ("setmetatable(state.m, {})", "a part of the state or the payload can't have a metatable"),
    ("state.m()", "attempt to call a table value (field 'm')"),
    ("local _ = state.m + 1", "attempt to perform arithmetic on a table value (field 'm')"),
    ("local _ = state.m < state.l", "attempt to compare two table values"),
    ("local _ = state.m .. 'x'", "attempt to concatenate a table value (field 'm')"),
  ])
  func `what a draft refuses it refuses as a table would, or names the place`(
    body: String, message: String
  ) throws {
    let lua = try TestMachine()
    let found = report { () throws(LuaError) in
      try lua.reduce(["l": [1, 2, 3], "m": ["k": [:]]], body)
    }
    #expect(found?.message == message)
    #expect(found?.place == SourcePlace(file: "counter.lua", line: 1))
  }

  @Test func `a draft looks like a table and is itself`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.told(
        ["m": ["k": 1]],
        """
        tell(type(state), tostring(state.m), getmetatable(state), state.m == state.m,
          rawequal(state.m, state.m), math.type(state), ('%s'):format(state.m), state.m == {})
        """) == ["table", "table", nil, true, true, nil, "table", false])
  }

  @Test func `a moved part is one thing under all its handles`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.reduce(
        ["a": ["n": 1], "b": [:]],
        """
        local h = state.a
        state.b.moved = h
        state.a = nil
        h.n = 2
        state.b.moved.m = 3
        assert(h == state.b.moved and h.m == 3)
        state.twice = {}
        state.twice[1] = h
        state.twice[2] = h
        h.last = true
        """)
        == [
          "b": ["moved": ["n": 2, "m": 3, "last": true]],
          "twice": [["n": 2, "m": 3, "last": true], ["n": 2, "m": 3, "last": true]],
        ])
  }

  @Test(arguments: results)
  func `what a reducer returns is the new state`(body: String, state: Value) throws {
    let lua = try TestMachine()
    #expect(try lua.reduce(["a": ["n": 1], "l": [1]], body) == state)
  }

  @Test func `a draft is dead after its reducer`() throws {
    let lua = try TestMachine()
    _ = try lua.reduce(
      ["a": [1]],
      """
      kept, part = state, state.a
      co = coroutine.wrap(function() while true do coroutine.yield(state.a[1]) end end)
      walk, s, c = pairs(state)
      """)
    let late = report { () throws(LuaError) in try lua.run("co()") }
    let reason = "this part of the state, the payload or the route was kept from an earlier call"
    #expect(late?.message.contains(reason) == true)
    for text in [
      "return kept.a", "kept.x = 1", "return #part", "part[1] = 2", "return next(part)",
      "walk(s, c)", "table.insert(part, 1)", "for k in pairs(part) do end", "return {part}",
      "require('moonwire').call(1, part)", "return ipairs(part)(part, 0)", "table.sort(part)",
    ] {
      for body in [text, "kept2 = state.a " + text] {
        let found =
          body == text
          ? report { () throws(LuaError) in try lua.run(body) }
          : report { () throws(LuaError) in try lua.reduce(["a": [1, 2]], body) }
        #expect(
          found?.message.contains(reason) == true,
          "\(body): \(String(describing: found))")
      }
    }
    #expect(try lua.reduce(["n": 1], "state.n = 2") == ["n": 2])
  }

  @Test func `a reducer that raises changes nothing`() throws {
    let lua = try TestMachine()
    let before = Self.slice.canonicalText
    #expect(
      report { () throws(LuaError) in
        try lua.reduce(Self.slice, "state.count = 9 state.log[2].x = 9 error('no')")
      }?.message == "no")
    #expect(Self.slice.canonicalText == before)
  }

  @Test func `an action is a plain table, and a payload looks like one`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.reduce(
        ["l": []], payload: ["by": [1]], action: ["type": "x"],
        "payload.by.own = nil setmetatable(action, {}) state.p = payload state.t = "
          + "action.type state.l = payload.by assert(type(payload) == 'table')"
      )
        == ["l": [1], "p": ["by": [1]], "t": "x"])
  }

  @Test(
    arguments: [
      ("state.a = payload.m payload.m.k = 2", ["a": ["k": 1]]),
      ("payload.m.k = 2 state.a = payload.m", ["a": ["k": 2]]),
      ("state.a = payload.m state.a.k = 3 state.b = payload.m", ["a": ["k": 3], "b": ["k": 1]]),
      ("payload.n = payload.n or 7 state.a = payload.n", ["a": 7]),
      ("state.l = { payload.m, payload.m }", ["l": [["k": 1], ["k": 1]]]),
      ("table.insert(payload.l, 3) state.l = payload.l", ["l": [1, 2, 3]]),
      ("state.l = {} table.insert(state.l, payload.m) payload.m.k = 9", ["l": [["k": 1]]]),
      ("payload.m = payload.l payload.m[1] = 5 state.l = payload.l", ["l": [5, 2]]),
      ("state.x = 1 payload.s = state payload.s.x = 2", ["x": 1]),
      ("return payload", ["m": ["k": 1], "l": [1, 2]]),
      ("payload.m = nil return payload", ["l": [1, 2]]),
    ] as [(String, Value)])
  func `the state takes a copy of what it takes from a payload`(
    body: String, after: Value
  ) throws {
    let lua = try TestMachine()
    for action in ["", "local _ = action.type "] {
      let made = try lua.reduce(
        [:], payload: ["m": ["k": 1], "l": [1, 2]], action: ["type": "x"], action + body)
      #expect(made == after)
    }
  }

  @Test(arguments: ["function(s, p) s.n = p.n end", "function(s, p, a) s.n = p.n end"])
  func `a payload that is stored unread is shared`(function: String) throws {
    let lua = try TestMachine()
    let payload: Value = ["n": .list(List((0..<100).map { .int($0) }))]
    let made = try lua.machine.reduce(
      lua.function("return " + function), slice: [:], payload: payload, action: { .null },
      limits: lua.limits)
    #expect(try #require(made["n"]).isIdentical(to: #require(payload["n"])))
  }

  @Test(arguments: [
    ("payload.m.x = function() end", "payload.m.x: a function can't be kept in the state"),
    (
      "payload.l.x = 1",
      "payload.l.x: a table with both integer and string keys can't be kept in the "
        + "state: give it one kind of key"
    ),
    ("setmetatable(payload, {})", "a part of the state or the payload can't have a metatable"),
    ("payload.m()", "attempt to call a table value (field 'm')"),
    ("return #payload.missing", "attempt to get length of a nil value (field 'missing')"),
    ("return 3", "a reducer returns nothing, or the new state as a table"),
    (
      "state.x = payload",
      "counter.x.bad: a number that is not a number (0/0) can't be kept in the state"
    ),
    (
      "return { list = { payload } }",
      "counter.list[1].bad: a number that is not a number (0/0) can't be kept in the state"
    ),
    (
      "return payload",
      "counter.bad: a number that is not a number (0/0) can't be kept in the state"
    ),
  ])
  func `what a payload refuses names the place`(body: String, message: String) throws {
    let lua = try TestMachine()
    let found = report { () throws(LuaError) in
      try lua.reduce([:], payload: ["m": [:], "l": [1], "bad": .double(.nan)], body)
    }
    #expect(found?.message == message)
  }

  @Test(arguments: [
    "for i = 1, #state.l do local _ = state.l[i] end", "for _ in pairs(state.l) do end",
    "for _, part in ipairs(payload.l) do local _ = part.x end",
  ])
  func `what a call looks at counts as its memory`(body: String) throws {
    let parts: Value = ["l": .list(List((0..<50_000).map { ["x": .int($0)] }))]
    let roomy = try TestMachine(memoryQuota: 32 << 20)
    #expect(try roomy.reduce(parts, payload: parts, body).isIdentical(to: parts))
    let tight = try TestMachine(memoryQuota: 2 << 20)
    let error = failure { () throws(LuaError) in try tight.reduce(parts, payload: parts, body) }
    guard case .memoryExceeded = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }

  @Test func `what the host lets a call look at counts as its memory as well`() throws {
    let lua = try TestMachine(
      memoryQuota: 2 << 20,
      answer: { (_: [Value?], _: TestMachine.Log) throws(HostRefusal) -> [Argument] in
        [.view(["x": 1], name: "state")]
      })
    let error = failure { () throws(LuaError) in
      try lua.run("local call = require('moonwire').call while true do call(1) end")
    }
    guard case .memoryExceeded = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }

  @Test func `a payload is dead after its reducer`() throws {
    let lua = try TestMachine()
    _ = try lua.reduce([:], payload: ["m": [1]], "kept = payload.m")
    let found = report { () throws(LuaError) in try lua.reduce([:], payload: [:], "kept[1] = 2") }
    #expect(
      found?.message
        == "this part of the state, the payload or the route was kept from an earlier call; "
        + "it can be used only until that call returned (copy what you need)")
  }

  @Test(arguments: [
    ("state.m + 1", "attempt to perform arithmetic on a table value (field 'm')"),
    ("state.m < 1", "attempt to compare table with number"),
    ("1 < state.m", "attempt to compare number with table"),
    ("state.m < state.l", "attempt to compare two table values"),
    ("null.x", "attempt to index a null value (upvalue 'null')"),
    ("null + 1", "attempt to perform arithmetic on a null value (upvalue 'null')"),
    ("null < state.m", "attempt to compare null with table"),
    ("string.rep(state.m, 1)", "bad argument #1 to 'rep' (string expected, got table)"),
    ("string.rep(null, 1)", "bad argument #1 to 'rep' (string expected, got null)"),
    ("userdata()", "attempt to call a nil value (global 'userdata')"),
  ])
  func `a script that catches an error reads what it would with tables`(
    expression: String, message: String
  ) throws {
    let lua = try TestMachine()
    let function = "function() local _ = \(expression) end"
    for call in [
      "pcall(\(function))", "xpcall(\(function), function(m) return m end)",
      "coroutine.resume(coroutine.create(\(function)))",
    ] {
      let told = try lua.told(
        ["m": [:], "l": []], "local null = moon.null tell(select(2, \(call)))")
      #expect(told == [.string(Text("counter.lua:1: " + message))], "\(call)")
    }
  }
}
