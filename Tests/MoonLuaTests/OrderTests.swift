import MoonLua
import MoonTestSupport
import MoonValues
import Testing

@Suite struct OrderTests {
  /// Returns the keys of `t` as texts, by pairs, by next, and by a sequence of next that is
  /// disturbed.
  static let walks = """
    local function show(k) return math.type(k) == 'float' and ('%a'):format(k) or tostring(k) end
    local a, b, c = {}, {}, {}
    for k, v in pairs(t) do a[#a + 1] = show(k) assert(v == t[k]) end
    for k, v in next, t do b[#b + 1] = show(k) assert(v == t[k]) end
    local k = next(t)
    while k ~= nil do
      c[#c + 1] = show(k)
      next({x = 1, y = 2}, 'x')
      k = next(t, k)
    end
    assert(table.concat(a, '|') == table.concat(b, '|'))
    assert(table.concat(a, '|') == table.concat(c, '|'))
    return a
    """

  @Test(arguments: [
    ("{3, 2, 1}", ["1", "2", "3"]), ("{}", []), ("{b = 1, a = 2, [''] = 3}", ["", "a", "b"]),
    (
      "{[2] = 1, [-1] = 2, [0] = 3, x = 4, [true] = 5, [false] = 6}",
      ["-1", "0", "2", "x", "false", "true"]
    ),
    (
      "{[1.5] = 1, [1] = 2, [2] = 3, [-0.5] = 4, [0] = 5}",
      ["-0x1p-1", "0", "1", "0x1.8p+0", "2"]
    ),
    (
      "{[math.huge] = 1, [-math.huge] = 2, [2^63] = 3, [math.maxinteger] = 4, "
        + "[math.mininteger] = 5, [-2^64] = 6}",
      ["-inf", "-0x1p+64", "-9223372036854775808", "9223372036854775807", "0x1p+63", "inf"]
    ),
    (
      "{['a\\0b'] = 1, ['a'] = 2, ['a\\0'] = 3, ['\\xff'] = 4, ['é'] = 5, ['Z'] = 6}",
      ["Z", "a", "a\0", "a\0b", "é", "\u{FFFD}"]
    ),
    (
      "{[2^53] = 1, [2^53 + 1] = 2, [9007199254740993] = 3}",
      ["9007199254740992", "9007199254740993"]
    ),
  ])
  func `pairs and next go through numbers, texts and booleans in order`(
    table: String, keys: [String]
  ) throws {
    let lua = try TestMachine()
    let shown = Self.walks.replacing(
      "return a", with: "for i, k in ipairs(a) do a[i] = k:gsub('\\xff', '\u{FFFD}') end return a")
    let found = try lua.value("local t = \(table)\n\(shown)")
    #expect(
      found?.withoutEmptyLists == Value.list(List(keys.map { .string(Text($0)) })).withoutEmptyLists
    )
  }

  @Test func `random tables are walked in the order of a sort`() throws {
    let lua = try TestMachine()
    try lua.run(
      """
      for round = 1, 200 do
        local t, keys = {}, {}
        for i = 1, math.random(0, 40) do
          local k = math.random(3) == 1 and math.random(-9, 9) / 4 or math.random(-20, 20)
          if t[k] == nil then keys[#keys + 1] = k end
          t[k] = i
        end
        table.sort(keys)
        local n = 0
        for k in pairs(t) do n = n + 1 assert(k == keys[n]) end
        assert(n == #keys)
        n = 0
        for k in next, t do n = n + 1 assert(k == keys[n]) end
        assert(n == #keys)
      end
      """)
  }

  @Test func `entries may be removed while a table is walked`() throws {
    let lua = try TestMachine()
    for walk in ["pairs(t)", "next, t"] {
      #expect(
        try lua.value(
          """
          local t, seen = {1, 2, 3, a = 4, b = 5}, {}
          for k in \(walk) do
            seen[#seen + 1] = tostring(k)
            t[k] = nil
            if k == 1 then t[2] = nil t.b = nil end
          end
          return {seen, next(t) == nil}
          """) == [["1", "3", "a"], true])
    }
    #expect(try lua.value("return select('#', next({}))") == 1)
    #expect(try lua.value("return {next({5})}") == [1, 5])
    #expect(report { () throws(LuaError) in try lua.run("next({}, {})") } != nil)
    #expect(report { () throws(LuaError) in try lua.run("next(5)") } != nil)
    #expect(report { () throws(LuaError) in try lua.run("pairs(nil)") } != nil)
    #expect(
      try lua.value(
        "for a, b in pairs(setmetatable({}, {__pairs = function() return next, {7} "
          + "end})) do return {a, b} end"
      ) == [1, 7])
  }

  @Test(arguments: ["{}", "type", "coroutine.create(type)", "require('moonwire').null"])
  func `a key without an order is refused in a pure call and comes last in others`(
    key: String
  ) throws {
    var lua = try TestMachine()
    let text = "local t = {[\(key)] = 1, [2] = 2, a = 3}\nlocal r = {} "
    let loops = [
      "for _, v in pairs(t) do r[#r + 1] = v end", "for _, v in next, t do r[#r + 1] = v end",
    ]
    for loop in loops { #expect(try lua.value(text + loop + " return r") == [2, 3, 1]) }
    lua.purity = .pure(seed: 1)
    for loop in loops {
      let found = report { () throws(LuaError) in try lua.run(text + loop) }
      #expect(
        found?.message
          == "pairs: a table, function or coroutine as a key has no order that a replay could "
          + "repeat; in a reducer use keys that are strings, numbers or booleans"
      )
      #expect(found?.place == SourcePlace(file: "counter.lua", line: 2))
    }
  }

  @Test func `a draft is walked as its keys are ordered`() throws {
    let lua = try TestMachine()
    let slice: Value = ["b": 1, "a": [3, 4], "\0": 2, "i": .map([7: 1, -2: 2, 0: 3])]
    #expect(
      try lua.told(
        slice,
        """
        local r = {}
        for k in pairs(state) do r[#r + 1] = k end
        for k in pairs(state.i) do r[#r + 1] = k end
        for i, v in ipairs(state.a) do r[#r + 1] = v end
        r[#r + 1] = next(state.a, 2) == nil
        tell(r, next(state, 'a'))
        """) == [["\0", "a", "b", "i", -2, 0, 7, 3, 4, true], "b", 1])
  }
}
