import MoonLua
import MoonTestSupport
import MoonValues
import Testing

@Suite struct SandboxTests {
  /// All values that a module can reach from its globals.
  static let reachable = """
    _G _VERSION assert collectgarbage coroutine coroutine.close coroutine.create \
    coroutine.isyieldable coroutine.resume coroutine.running coroutine.status coroutine.wrap \
    coroutine.yield debug debug.traceback error getmetatable io ipairs load math math.abs math.acos math.asin math.atan \
    math.ceil math.cos math.deg math.exp math.floor math.fmod math.huge math.log math.max \
    math.maxinteger math.min math.mininteger math.modf math.pi math.rad math.random math.sin \
    math.sqrt math.tan math.tointeger math.type math.ult next os os.clock os.date os.difftime \
    os.time package package.config package.loaded package.preload pairs pcall rawequal rawget rawlen rawset require select setmetatable string \
    string.byte string.char string.find string.format string.gmatch string.gsub string.len \
    string.lower string.match string.pack string.packsize string.rep string.reverse string.sub \
    string.unpack string.upper table table.concat table.insert table.move table.pack \
    table.remove table.sort table.unpack tonumber tostring type utf8 utf8.char \
    utf8.charpattern utf8.codepoint utf8.codes utf8.len utf8.offset xpcall
    """

  @Test func `a module reaches what is allowed and nothing else`() throws {
    let lua = try TestMachine()
    let found = try lua.text(
      """
      local names, seen = {}, {}
      local function walk(t, prefix)
        if seen[t] then return end
        seen[t] = true
        for k, v in next, t do
          names[#names + 1] = prefix .. tostring(k)
          assert(getmetatable(v) == nil or type(v) == 'string')
          if type(v) == 'table' then walk(v, prefix .. k .. '.') end
        end
      end
      walk(_G, '')
      table.sort(names)
      return table.concat(names, ' ')
      """)
    #expect(found == Self.reachable)
    #expect(
      try lua.value("return {getmetatable(''), ('').x == nil, ('x').upper == string.upper}")
        == [false, true, true])
  }

  @Test(arguments: [
    ("setmetatable('', {})", "table expected, got string"),
    ("setmetatable({}, {__gc = function() end})", "__gc isn't available"),
    ("setmetatable({}, {__gc = true})", "__gc isn't available"),
    ("load(1)", "only text, or a function that returns it, can be loaded"),
    ("load(function() return (' '):rep(9999) end)", "text longer than 256 KB"),
    ("load((' '):rep(300000))", "text longer than 256 KB"),
    ("('%p'):format({})", "'%p' isn't available"), ("('%-20p'):format({})", "'%p' isn't available"),
    ("string.format('%%%5.1p', type)", "'%p' isn't available"),
    ("collectgarbage()", "isn't available"), ("collectgarbage('step')", "isn't available"),
    ("collectgarbage('stop')", "isn't available"),
    ("collectgarbage('generational')", "isn't available"),
    ("math.random(0, -1)", "interval is empty"), ("math.random(-5)", "interval is empty"),
    ("math.random(1, 2, 3)", "wrong number of arguments"),
    ("math.random(1.5)", "number has no integer representation"),
    ("setmetatable(setmetatable({}, {__metatable = 1}), {})", "protected metatable"),
  ])
  func `what breaks out or differs from run to run is refused`(text: String, reason: String) throws
  {
    let lua = try TestMachine()
    let found = report { () throws(LuaError) in try lua.run(text) }
    #expect(found?.message.contains(reason) == true)
  }

  @Test func `load joins the pieces that a function returns`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.value(
        """
        local function reader(...)
          local pieces, i = {...}, 0
          return function() i = i + 1 return pieces[i] end
        end
        return {load(reader('return ', 'x', ' + 1'), 'n', 't', {x = 5})(),
          load(reader('return 7', '', '+'))(), load(reader())() == nil,
          {select(2, load(reader('x =')))}, {select(2, load(reader(true)))},
          {select(2, load(function() error('no', 0) end))}, {select(2, load('x = 1', 'n', 'b'))}}
        """) == [
          6, 7, true, ["(load):1: unexpected symbol near <eof>"],
          ["reader function must return a string"], ["no"],
          ["attempt to load a text chunk (mode is 'b')"],
        ])
  }

  @Test func `bytecode isn't loaded`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.value("local f, e = load('\\27Lua') return {f == nil, e}") == [
        true, "attempt to load a binary chunk (mode is 't')",
      ])
    #expect(
      try lua.value("return {load('\\27Lua', 'x', 'b') == nil}") == [true])
    #expect(failure { () throws(LuaError) in try lua.run("\u{1B}Lua") } != nil)
    #expect(try lua.value("return load('return x', 'n', 't', {x = 5})()") == 5)
    #expect(try lua.value("return {load('x =')}")?.description.contains("near <eof>") == true)
  }

  @Test func `texts made of tables and functions hold no address`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.value(
        """
        return {tostring({}), tostring(type), tostring(coroutine.create(type)),
          tostring(require('moonwire').null), ('%s %s'):format({}, print or type),
          tostring(setmetatable({}, {__name = 'mine'})), ('%10.3s|'):format({}),
          tostring(setmetatable({}, {__tostring = function() return 'own' end})),
          tostring(1), tostring(1.0), tostring(nil), ('%d%%%s'):format(1, 'x'),
          tostring(require('moonwire').list())}
        """) == [
          "table", "function", "thread", "null", "table function", "mine", "       tab|", "own",
          "1", "1.0", "nil", "1%x", "table",
        ])
  }

  @Test(arguments: [
    ("os.time()", "os.time"), ("os.date()", "os.date"), ("os.clock()", "os.clock"),
    ("collectgarbage('count')", "collectgarbage"),
    ("require('moonwire').refuse('moon.dispatch')", "moon.dispatch"),
  ])
  func `what a replay couldn't repeat is out of a pure call's reach`(
    text: String, name: String
  ) throws {
    var lua = try TestMachine()
    try lua.run(text)
    lua.purity = .pure(seed: 1)
    let found = report { () throws(LuaError) in try lua.run("\n" + text) }
    #expect(found?.message.hasPrefix("\(name) isn't available in a reducer") == true)
    #expect(found?.place == SourcePlace(file: "counter.lua", line: 2))
    #expect(try lua.value("return pcall(os.time)") == false)
  }

  @Test func `random numbers of a pure call come from its seed`() throws {
    let text = """
      local r = {}
      for i = 1, 20 do r[i] = math.random(1000000) end
      r[21], r[22] = math.random(), math.random(0)
      r[23] = math.random(math.mininteger, math.maxinteger)
      return r
      """
    var values: [Value?] = []
    for (machineSeed, seed) in [(1, 7), (2, 7), (1, 8), (1, 0), (1, UInt64.max)]
      as [(UInt64, UInt64)]
    {
      var lua = try TestMachine(seed: machineSeed)
      try lua.run("math.random()")
      lua.purity = .pure(seed: seed)
      values.append(try lua.value(text))
      #expect(try lua.value(text) == values.last)
    }
    #expect(values[0] == values[1])
    #expect(Set(values.map { $0?.canonicalText }).count == 4)
    let lua = try TestMachine()
    #expect(try lua.value(text) != lua.value(text))
  }

  @Test func `random numbers keep to their bounds and reach them`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.value(
        """
        local count, low, high = {0, 0, 0}, 1, 0
        for i = 1, 6000 do
          local n = math.random(-1, 1)
          count[n + 2] = count[n + 2] + 1
          local f = math.random()
          low, high = math.min(low, f), math.max(high, f)
          assert(math.random(5, 5) == 5 and math.random(3) <= 3 and math.random(3) >= 1)
        end
        for i = 1, 3 do assert(count[i] > 1800 and count[i] < 2200) end
        return low >= 0 and low < 0.01 and high < 1 and high > 0.99
        """) == true)
  }
}
