import MoonLua
import MoonTestSupport
import MoonValues
import Testing

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

  @Test func `a shared value arrives in each call as it is, whatever another call did to it`()
    throws
  {
    let lua = try TestMachine()
    let spoil = try lua.function(
      """
      return function(route, other)
        local seen = {route.url, route.params.name, other}
        route.url, route.params.name, route.more = 'spoilt', nil, {}
        return seen
      end
      """)
    let route: Value = ["url": "/page/top", "params": ["name": "top"]]
    let large: Value = ["url": .string(Text(String(repeating: "x", count: 10_000))), "params": [:]]
    for value in [route, route, large, route, large, large, .null, route] {
      guard case .map(let map) = value else {
        let same = try lua.function(Self.same)
        #expect(try lua.machine.answer(same, [.shared(value)], limits: lua.limits) == value)
        continue
      }
      let seen = try lua.machine.call(
        spoil, [.shared(value), .value(["a": 1])], limits: lua.limits)
      let expected = [map["url"], value["params"]?["name"], ["a": 1]].compactMap { $0 }
      #expect(seen[0]?.mapValue?.map(\.value) ?? Array(seen[0]?.listValue ?? []) == expected)
    }
  }

  @Test func `a kept function's table of a shared value stays what it was`() throws {
    let lua = try TestMachine()
    let keep = try lua.function(
      "local kept return function(route) local was = kept kept = route return was end")
    let routes: [Value] = [["url": "/a", "n": 1], ["url": "/b", "n": 2]]
    let calls = [routes[0], routes[0], routes[1], routes[0]]
    var former: Value?
    for route in calls {
      #expect(try lua.machine.answer(keep, [.shared(route)], limits: lua.limits) == former)
      former = route
    }
  }

  @Test func `texts of shared values that are alike arrive as they are`() throws {
    let lua = try TestMachine()
    let same = try lua.function(Self.same)
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      let texts = (0..<20).map { _ in
        // Texts with the same ends, of few lengths around those that are remembered or not. The
        // middle differs in one place, mostly far from the ends.
        let length = [0, 1, 4, 8, 20, 120, 128][random.below(7)]
        let filling = String(repeating: "-", count: length)
        let middle = filling + "\(random.below(3))" + filling
        return Text(["/page", "", "ß\0"][random.below(3)] + middle + "/end")
      }
      let value = Value.list(List(texts.map { .string($0) }))
      for _ in 0..<2 {
        #expect(try lua.machine.answer(same, [.shared(value)], limits: lua.limits) == value)
      }
    }
  }

  @Test func `shared records arrive as they are, also when their keys are forgotten in between`()
    throws
  {
    let lua = try TestMachine()
    let same = try lua.function(Self.same)
    var random = SplitMix64(seed: 5)
    func record(depth: Int, _ random: inout SplitMix64) -> Value {
      let words = (0..<random.below(12)).map { _ in "word \(random.below(60))" }
      return .map(
        Map(
          words.map { word in
            let scalars: [Value] = [
              .string(Text(word)), .int(Int64(random.below(9))), .int(.max), .bool(true),
              .bool(false), .double(0.5), .list([1]),
              .string(Text(String(repeating: word, count: 40))),
            ]
            // Mostly what is repeated without reading its bytes.
            let index = random.below(8) == 0 ? random.below(8) : [0, 1, 3, 4][random.below(4)]
            let value =
              depth < 5 && random.below(4) == 0
              ? record(depth: depth + 1, &random) : scalars[index]
            return (.string(Text(word)), value)
          }))
    }
    for _ in 0..<400 {
      let value = record(depth: 0, &random)
      for _ in 0..<3 {
        #expect(
          try lua.machine.answer(same, [.shared(value)], limits: lua.limits) == value.asLuaHasIt)
        guard random.below(2) == 0 else { continue }
        let other = record(depth: 0, &random).asLuaHasIt
        #expect(try lua.machine.answer(same, [.value(other)], limits: lua.limits) == other)
      }
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
