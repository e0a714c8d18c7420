import MoonLua
import MoonTestSupport
import MoonValues
import Testing

@Suite struct RefusalTests {
  /// A Lua expression, and the path and reason of its refusal under `counter.log[3].at`.
  static let cases: [(String, String)] = [
    ("type", ": a function can't be kept in the state"),
    ("function() end", ": a function can't be kept in the state"),
    ("{callback = type}", ".callback: a function can't be kept in the state"),
    ("{1, {2, type}}", "[2][2]: a function can't be kept in the state"),
    ("{['a b'] = type}", "[\"a b\"]: a function can't be kept in the state"),
    ("{a = {[7] = coroutine.create(type)}}", ".a[7]: a thread can't be kept in the state"),
    ("{me = {}}", ".me.me: a table that holds itself can't be kept in the state"),
    ("'\\xff'", ": a string that isn't UTF-8 can't be kept in the state"),
    ("('x'):rep(20) .. '\\xc3'", ": a string that isn't UTF-8 can't be kept in the state"),
    ("{'\\xed\\xa0\\x80'}", "[1]: a string that isn't UTF-8 can't be kept in the state"),
    (
      "{1, x = 2}",
      ": a table with both integer and string keys can't be kept in the state: give it "
        + "one kind of key"
    ),
    ("0/0", ": a number that is not a number (0/0) can't be kept in the state"),
    ("{x = 0/0}", ".x: a number that is not a number (0/0) can't be kept in the state"),
    (
      "{[1.5] = 1}",
      ": a key that is a fraction can't be kept in the state: keys are strings or integers"
    ),
    (
      "{[true] = 1}",
      ": a key that is a boolean can't be kept in the state: keys are strings or integers"
    ),
    (
      "{x = {[{}] = 1}}",
      ".x: a key that is a table can't be kept in the state: keys are strings or integers"
    ),
  ]

  @Test(arguments: cases)
  func `what can't be kept is refused by its path, at the script's line`(
    expression: String, reason: String
  ) throws {
    let lua = try TestMachine()
    let value = "local v = \(expression) if type(v) == 'table' and v.me then v.me.me = v.me end "
    let slice: Value = ["log": [1, 2, ["x": 1]], "list": [1]]
    for (statement, path) in [
      ("state.log[3].at = v", "counter.log[3].at"),
      ("rawset(state.log[3], 'at', v)", "counter.log[3].at"),
      ("table.insert(state.list, v)", "counter.list[2]"),
      ("table.insert(state.list, 1, v)", "counter.list[1]"),
      ("state.list[2] = v", "counter.list[2]"),
      ("state.new = {inner = v}", "counter.new.inner"),
      ("return {inner = v}", "counter.inner"),
      ("return {state.list, {inner = v}}", "counter[2].inner"),
    ] {
      let found = report { () throws(LuaError) in
        try lua.reduce(slice, value + "\n\n" + statement)
      }
      #expect(found?.message == path + reason, "\(statement)")
      let line = statement.hasPrefix("return") ? 1 : 3
      #expect(found?.place == SourcePlace(file: "counter.lua", line: line), "\(statement)")
    }
    #expect(try lua.reduce(slice, "pcall(function() \(value) state.log[3].at = v end)") == slice)
  }

  @Test func `a key that isn't UTF-8 is refused`() throws {
    let lua = try TestMachine()
    for (statement, message) in [
      (
        "state.a['\\xff'] = 1",
        "counter.a: a string that isn't UTF-8 can't be a key in the state: keys are "
          + "strings or integers"
      ),
      (
        "state.a[1.5] = 1",
        "counter.a: a fraction can't be a key in the state: keys are strings or integers"
      ),
      (
        "state.a[0/0] = 1",
        "counter.a: a fraction can't be a key in the state: keys are strings or integers"
      ),
      (
        "state.a[true] = 1",
        "counter.a: a boolean can't be a key in the state: keys are strings or integers"
      ),
      (
        "state.a[{}] = 1",
        "counter.a: a table can't be a key in the state: keys are strings or integers"
      ),
      (
        "state.a[nil] = 1",
        "counter.a: a nil can't be a key in the state: keys are strings or integers"
      ),
      (
        "state.a[state] = 1",
        "counter.a: a table can't be a key in the state: keys are strings or integers"
      ),
    ] {
      let found = report { () throws(LuaError) in try lua.reduce(["a": ["b": 1]], statement) }
      #expect(found?.message == message)
      #expect(found?.place == SourcePlace(file: "counter.lua", line: 1))
    }
    for expression in ["{['\\xff'] = 1}", "{b = {['\\xe0\\x80'] = 1}}"] {
      let found = report { () throws(LuaError) in try lua.reduce([:], "state.a = \(expression)") }
      #expect(
        found?.message.contains("a string that isn't UTF-8 can't be kept in the state") == true)
    }
  }

  @Test func `nesting is limited wherever the levels come from`() throws {
    let lua = try TestMachine()
    var deep: Value = [:]
    for _ in 0..<60 { deep = ["in": deep] }
    let slice: Value = ["deep": deep, "flat": [:]]
    #expect(
      try lua.reduce(slice, "state.flat.in1 = {a = state.deep.['in']}".replacing(".[", with: "["))
        != slice)
    for statement in [
      "local t = {} for i = 1, 64 do t = {t} end state.x = t",
      "local t = {} for i = 1, 63 do t = {t} end state.flat.x = t",
      "local t = state for i = 1, 64 do t.n = {} t = t.n end",
      "state.flat.a = {b = {c = {d = state.deep}}}",
      "state.flat.a = {} state.flat.a.b = {} state.flat.a.b.c = {} state.flat.a.b.c.d = state.deep",
      "return {a = {b = {c = {d = state.deep}}}}",
      "state.flat.list = {1} table.insert(state.flat.list, {{{state.deep}}})",
    ] {
      let found = report { () throws(LuaError) in try lua.reduce(slice, statement) }
      #expect(
        found?.message.hasSuffix(": nesting deeper than 64 can't be kept in the state") == true,
        "\(statement): \(String(describing: found))")
      #expect(found?.message.hasPrefix("counter") == true, "\(statement)")
    }
    let full = try lua.reduce([:], "local t = {} for i = 1, 62 do t = {t} end state.x = t")
    #expect(try lua.reduce(full, "state.y = 1")["y"] == 1)
  }

  @Test func `a tree can't be doubled until nobody can write it out`() throws {
    let lua = try TestMachine(watchdog: Watchdog())
    for statement in [
      "for i = 1, 50 do state.a = {state.a, state.a} end",
      "local h = state.a for i = 1, 50 do state.b = {} state.b[1] = h state.b[2] = h h "
        + "= state.b end",
      "return {state.a, (function() for i = 1, 30 do state.a = {state.a, state.a} end end)()}",
    ] {
      let found = report { () throws(LuaError) in try lua.reduce(["a": [1]], statement) }
      #expect(found?.message.contains("more than 4000000 elements") == true, "\(statement)")
    }
  }

  @Test func `a reducer's result is a table or nothing`() throws {
    let lua = try TestMachine()
    for result in ["1", "'x'", "true", "false", "moon.null", "2.5"] {
      let found = report { () throws(LuaError) in try lua.reduce(["n": 1], "return \(result)") }
      #expect(found?.message == "a reducer returns nothing, or the new state as a table")
      #expect(found?.place == SourcePlace(file: "counter.lua", line: 1))
    }
    let found = report { () throws(LuaError) in try lua.reduce(["n": 1], "return type") }
    #expect(found?.message == "counter: a function can't be kept in the state")
  }
}
