import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// Invariant 5: what crosses between Lua and Swift is a value.
@Suite struct WireTests {
  static let same = "return function(...) return ... end"

  @Test(arguments: [UInt64(1), 2, 3])
  func `random values come back from Lua as they were`(seed: UInt64) throws {
    let lua = try TestMachine()
    let same = try lua.function(Self.same)
    var trees = RandomTrees(seed: seed)
    for round in 0..<1000 {
      let value = round % 4 == 0 ? trees.scalar() : trees.tree()
      let back = try lua.machine.call(same, [.value(value)], limits: lua.limits)
      #expect(
        back == [value.asLuaHasIt],
        "seed \(seed), round \(round): \(value) came back as \(back)")
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `random values stay what they are in a draft and in a table`(seed: UInt64) throws {
    let lua = try TestMachine()
    let store = try lua.function("return function(state, payload) state.it = payload end")
    let copy = try lua.function(
      """
      local function copy(x)
        if type(x) ~= 'table' then return x end
        local made = #x == 0 and next(x) == nil and require('moonwire').list() or {}
        for k, v in pairs(x) do rawset(made, k, copy(v)) end
        return made
      end
      return function(state) return {it = copy(state.it)} end
      """)
    var trees = RandomTrees(seed: seed)
    for round in 0..<300 {
      let value = trees.tree().asLuaHasIt
      let stored = try lua.machine.reduce(
        store, slice: [:], payload: value, action: { .null }, limits: lua.limits)
      #expect(stored == ["it": value], "seed \(seed), round \(round)")
      let copied = try lua.machine.reduce(
        copy, slice: stored, payload: .null, action: { .null }, limits: lua.limits)
      #expect(
        copied.withoutEmptyLists == stored.withoutEmptyLists, "seed \(seed), round \(round)")
    }
  }

  @Test func `more keys than the machine remembers arrive as they are`() throws {
    let lua = try TestMachine()
    let same = try lua.function(Self.same)
    var random = SplitMix64(seed: 7)
    for _ in 0..<50 {
      let map = Map(
        (0..<40).map { _ in
          let number = random.below(500)
          let key = ["k\(number)", "key \(number)", "key\0\(number)", "a longer key \(number)"]
          return (.string(Text(key[random.below(4)])), .int(Int64(number)))
        } + [("", 1), ("ß", 2), ("\0", 3)])
      #expect(try lua.machine.answer(same, [.value(.map(map))], limits: lua.limits) == .map(map))
    }
  }

  @Test func `every scalar keeps its kind and its bits`() throws {
    let lua = try TestMachine()
    let same = try lua.function(Self.same)
    for value in RandomTrees.scalars {
      #expect(try lua.machine.call(same, [.value(value)], limits: lua.limits) == [value])
    }
    #expect(
      try lua.value("return {1 // 1, 1 / 1, math.maxinteger + 1, -0.0, 1e308 * 10, 2^53}")
        == [1, 1.0, .int(.min), .double(-0.0), .double(.infinity), 9_007_199_254_740_992.0])
  }

  @Test func `an empty list and an empty map are told apart`() throws {
    let lua = try TestMachine()
    let same = try lua.function(Self.same)
    let value: Value = ["list": [], "map": [:], "in": [[], [:]]]
    #expect(try lua.machine.call(same, [.value(value)], limits: lua.limits) == [value])
    #expect(try lua.value("return {require('moonwire').list(), {}}") == [[], [:]])
    #expect(
      try lua.value("local l = require('moonwire').list({}) l[1] = 2 return l") == [2])
    #expect(
      try lua.value("local l = require('moonwire').list({}) l.x = 2 return l") == ["x": 2])
  }

  @Test func `null isn't nil`() throws {
    let lua = try TestMachine()
    #expect(
      try lua.value("local null = require('moonwire').null return {null, {x = null}}")
        == [nil, ["x": nil]])
    let same = try lua.function(Self.same)
    #expect(
      try lua.machine.call(same, [.value(.null), .none], limits: lua.limits) == [.null, nil])
  }

  @Test func `sixty-four levels cross, sixty-five don't`() throws {
    let lua = try TestMachine()
    let same = try lua.function(Self.same)
    var value: Value = []
    for level in 1..<Value.depthMax { value = level % 2 == 0 ? [value] : ["in": value] }
    #expect(try lua.machine.call(same, [.value(value)], limits: lua.limits) == [value])
    let found = report { () throws(LuaError) in
      try lua.value("local t = {} for i = 1, 64 do t = {t} end return t")
    }
    #expect(found?.message.hasSuffix(": nesting deeper than 64 can't leave the module") == true)
    #expect(found?.message.hasPrefix("[1][1]") == true)
  }

  @Test func `long texts and large tables cross`() throws {
    let lua = try TestMachine()
    let same = try lua.function(Self.same)
    let text = Value.string(Text(String(repeating: "0123456789", count: 100_000)))
    let list = Value.list(List((0..<20_000).map { .int(Int64($0)) }))
    let map = Value.map(Map((0..<5000).map { (.string(Text("key \($0)")), .int(Int64($0))) }))
    #expect(
      try lua.machine.call(
        same, [.value(text), .value(list), .value(map)], limits: lua.limits) == [text, list, map])
    #expect(try lua.value("return ('x'):rep(1000000)")?.textValue?.utf8Count == 1_000_000)
  }
}
