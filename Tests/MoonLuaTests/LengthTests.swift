import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// The length of tables: plain Lua's for tables without holes, and one border of the others.
struct LengthTests {
  /// Tables with holes, and their borders.
  static let holes: [(table: String, border: Int64)] = [
    ("{}", 0), ("{1, nil, 3}", 1), ("{nil, 2}", 0), ("{1, 2, nil, 4}", 2),
    ("{nil, nil, 3, [4] = 4}", 0), ("{[1] = 1, [2] = 2, [4] = 4}", 2),
    ("{n = 1, [1] = 1, [3] = 3}", 1), ("{[math.maxinteger] = 1}", 0), ("{[0] = 1, [-1] = 1}", 0),
    ("{[1.0] = 1, [2.5] = 2}", 1), ("{table.unpack({}, 1, 300)}", 0),
    ("{1, 2, 3, nil, nil, nil, nil, nil, 9}", 3),
  ]

  @Test(arguments: holes)
  func `of a table with holes the smallest border counts, everywhere`(
    table: String, border: Int64
  ) throws {
    let lua = try TestMachine()
    let text = """
      local function make() return \(table) end
      local t = make()
      local kept = #t
      t.note = 'x'
      local r = {kept, #t, rawlen(make()), select('#', table.unpack(make()))}
      t = make() table.insert(t, 'end') r[5] = t[kept + 1] == 'end'
      t = make() t[1] = t[1] and 'one' table.remove(t) r[6] = t[kept] == nil
      t = make() t[#t + 1] = 'more' r[7] = t[kept + 1] == 'more'
      return r
      """
    let length = Value.int(border)
    #expect(try lua.value(text) == [length, length, length, length, true, true, true])
    // A table that the state can't hold isn't a draft.
    if table.contains(".5") || table.contains("n =") { return }
    let told = try lua.told([:], "state.t = \(table) tell(#state.t, rawlen(state.t))")
    #expect(told == [length, length])
  }

  @Test func `a border doesn't depend on how a table came to be`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.value(
        """
        local different = {}
        for round = 1, 300 do
          local keys, n = {}, math.random(1, 200)
          for i = 1, n do if math.random(8) > 1 then keys[#keys + 1] = i end end
          local lengths = {}
          for variant = 1, 4 do
            local t, order = {}, {}
            for i, k in ipairs(keys) do order[i] = k end
            if variant > 1 then
              for i = #order, 2, -1 do
                local j = math.random(i)
                order[i], order[j] = order[j], order[i]
              end
            end
            for i, k in ipairs(order) do
              t[k] = true
              if variant == 3 then t['name' .. k] = k end
              if variant == 4 then t[k + 1000] = k t[{}] = k end
            end
            lengths[variant] = #t
          end
          for i = 2, 4 do
            if lengths[i] ~= lengths[1] then different[#different + 1] = round end
          end
        end
        return #different
        """) == 0)
  }

  @Test func `a draft has the border of the table that it looks like`() throws {
    let lua = try TestMachine()
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let last = [40, 64, 65, 66, 130, 131, 400][random.below(7)]
      var entries: [(Key, Value)] = []
      for key in 1...last where !random.once(in: 90) { entries.append((.int(Int64(key)), 1)) }
      // More than a list's keys, so that it stays a map.
      entries.append((.int(10_000), 1))
      let told = try lua.told(
        ["map": .map(Map(entries))],
        """
        local plain = {}
        for k, v in pairs(state.map) do plain[k] = v end
        tell(#state.map, #plain)
        """)
      #expect(told[0] == told[1])
    }
  }

  @Test func `tables without holes and strings are as long as in plain Lua`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.value(
        """
        local t = {}
        for i = 1, 1000 do assert(#t == i - 1) t[#t + 1] = i end
        for i = 1000, 1, -1 do assert(#t == i) t[#t] = nil end
        local long = {table.unpack(('x'):rep(5000):gsub('x', 'y') and {} or {}, 1, 5000)}
        for i = 1, 5000 do long[i] = i end
        local object = setmetatable({1, 2, 3}, {__len = function(t, u) return rawequal(t, u) end})
        local yielding = coroutine.wrap(function()
          return #setmetatable({}, {__len = function() return coroutine.yield('in') end})
        end)
        return {#'', #'abc', #'\\0\\1', #long, #object, rawlen(object), yielding(), yielding('out'),
          #{n = 1}, #require('moonwire').list()}
        """) == [0, 3, 2, 5000, true, 3, "in", "out", 0, 0])
  }

  /// Expressions with the precedence of `#`, and their equivalents in plain Lua.
  static let expressions = [
    "-#'abc'", "2 ^ #'abc'", "2 ^ -#'ab'", "#'ab' .. 'c'", "'c' .. #'ab' .. 1",
    "not #'ab'", "#'ab' == 2 and #'abc' or 0", "#'ab' + #'c' * #'de' // 2", "# 'ab'", "#\n'ab'",
    "#[[x]] + #[==[ # ]==]", "#({1, 2, 3})", "#{1, {2}, 3}", "#({{1, 2}})[1]", "#('x'):rep(5)",
    "~#'abc'", "#'abc' | 8", "#'abc' << 2", "#'abc' % 2", "#'abc' < 4", "#\"#\" + #'\\'#'",
    "(#'abc')", "#('abc') - -#'a'", "#tostring(12)", "(function(...) return #... end)('abcd')",
    "#table.concat({1, 2})", "'10' ^ 2", "2 ^ '3'", "'10' + 1", "#tostring('1' ^ 1)",
    "select('#', 1, 2)", "#'a' --[[ # ]] + 1", "#'a' -- #\n + 1", "#'a' --[==[\n#]==] + 1",
    "#'\\z\n  #'", "#'\\x23#'", "({['#'] = 7})['#']", "#'ab' // #'c'", "#(#'abc' .. '')",
  ]

  @Test(arguments: expressions)
  func `the operator binds as in plain Lua`(expression: String) throws {
    let source = "return tostring(\(expression))"
    #expect(try TestMachine().text(source) == SystemLua.text(source))
  }

  /// Texts whose error names the value that has no length.
  static let errors = [
    "local a\nreturn #a", "return #b", "local t = {}\nreturn #t.items", "return #nil",
    "local t = {a = {}}\nreturn #t.a.b", "return #(nil)", "return #5", "return #true",
    "local a\nlocal function f() return #a end\nreturn f()", "local a = {}\nreturn #a.b.c",
    "local a = type\nreturn -#a", "return #print", "return #coroutine.create(type)",
    "return #not 1",
    "local a\nreturn #a^2", "local a\nreturn 1 + #a", "return 2 ^ {}", "return #'abc' ^ 2",
    "return '1' ^ {}",
    "return ('x') ^ 1", "return {} ^ '2'", "local s = 'x'\nreturn s ^ 2",
  ]

  @Test(arguments: errors)
  func `what has no length is named as in plain Lua`(text: String) throws {
    let lua = try TestMachine()
    let source = """
      local ok, message = pcall(function() local print = type
      \(text)
      end)
      return message
      """
    #expect(try lua.text(source) == SystemLua.text(source))
  }

  /// Texts that don't compile.
  static let malformed = [
    "local # = 3", "return #", "x = #\n", "return # then", "##", "a # b", "return #x y",
    "for i = 1, # do end", "return 'a", "local t = {#}", "#!/usr/bin/lua",
  ]

  @Test(arguments: malformed)
  func `a text that doesn't compile is told as it was written`(text: String) throws {
    let lua = try TestMachine()
    let source = "return select(2, load([==[\(text)]==], '=text'))"
    #expect(try lua.text(source) == SystemLua.text(source))
  }

  @Test func `many length operators compile in linear time`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.value(
        """
        local text = 'local a = {} return ' .. ('#a + '):rep(20000) .. '0'
        return {load(text)(), select('#', load('return ' .. ('#'):rep(190) .. '\"\"')),
          load('return ' .. ('#'):rep(300) .. '\"\"') == nil}
        """) == [0, 1, true])
  }
}
