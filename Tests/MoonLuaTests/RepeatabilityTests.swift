import Foundation
import Glibc
import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// A reducer sees the same values in every run, whatever the process and its environment.
struct RepeatabilityTests {
  /// Values with several parts that can't be stored, and the first of these in order.
  static let several: [(value: String, first: String)] = [
    ("{b = type, a = type, c = type}", ".a: a function can't be kept in the state"),
    ("{z = 1, y = {d = type, c = '\\xff'}, x = {}}", ".y.c: a string that isn't UTF-8"),
    ("{[3] = type, [-1] = type, [20] = type}", "[-1]: a function"),
    ("{a = {}, ['a b'] = type, A = 0/0}", ".A: a number that is not a number"),
    ("{[2.5] = 1, [true] = 1, [{}] = 1}", ": a key that is a fraction"),
    ("{[true] = 1, [{}] = 1, [type] = 1, x = 1}", ": a key that is a boolean"),
    ("{x = 1, [1] = 1, y = type}", ": a table with both integer and string keys"),
    ("{d = old, c = type}", ".c: a function"), ("{c = old, d = type}", "kept from an earlier call"),
    ("{['\\xff'] = 1, b = type}", ".b: a function"),
  ]

  @Test(arguments: several)
  func `of several parts that can't be kept the first in order is named`(
    value: String, first: String
  ) throws {
    let lua = try TestMachine()
    _ = try lua.reduce(["t": [:]], "old = state.t")
    for filler in ["", "for i = 1, 30 do v['k' .. i] = i end"] {
      // Other names move these to other places in the table.
      if !filler.isEmpty && value.contains("[") { continue }
      for statement in ["state.v = v", "return {v = v}"] {
        let found = report { () throws(LuaError) in
          try lua.reduce(["n": 1], "local v = \(value) \(filler) \(statement)")
        }
        #expect(found?.message.contains(first) == true, "\(found?.message ?? "nothing")")
      }
    }
  }

  @Test func `a part that stands in several places has the path of its smallest key`() throws {
    let names = (0..<40).map { "k\($0 * 7919 % 997)" }
    let slice: Value = .map(Map(names.map { (.string(Text($0)), [:]) } + [("part", ["x": [:]])]))
    for _ in 0..<5 {
      let lua = try TestMachine()
      // The smallest is added last, so that success isn't luck.
      let links = names.reversed().map { "state.\($0) = p " }.joined()
      let found = report { () throws(LuaError) in
        try lua.reduce(slice, "local p = state.part state.part = nil \(links) p.x.y = type")
      }
      #expect(
        found?.message == "counter.\(names.sorted()[0]).x.y: a function can't be kept in the state")
    }
  }

  @Test(arguments: ["k", "v", "kv", ""])
  func `a weak table keeps its entries`(mode: String) throws {
    let lua = try TestMachine(memoryQuota: 8 << 20)
    let text = """
      local keys = setmetatable({}, {__mode = '\(mode)'})
      for i = 1, 500 do keys[{}] = {} end
      for i = 1, 200000 do local garbage = {i} end
      local count = 0
      for k in next, keys do count = count + 1 end
      return {count, getmetatable(keys).__mode}
      """
    #expect(try lua.value(text) == [500, .string(Text(mode))])
  }

  @Test(arguments: [0, 8 << 20])
  func `a mode that a metatable gets later weakens nothing`(quota: Int) throws {
    let lua = try TestMachine(memoryQuota: quota)
    let text = """
      local mt, other = {}, {}
      local keys, values = setmetatable({}, mt), setmetatable({}, other)
      mt.__mode, other.__mode = 'k', 'v'
      for i = 1, 500 do keys[{}] = i values[i] = {} end
      for i = 1, 200000 do local garbage = {i} end
      local count = 0
      for k in next, keys do count = count + 1 end
      for k in next, values do count = count + 1 end
      return {count, mt.__mode, other.__mode, getmetatable(keys) == mt}
      """
    for _ in 0..<3 { #expect(try lua.value(text) == [1000, "k", "v", true]) }
  }

  @Test func `garbage is collected as before where scripts have metatables`() throws {
    let lua = try TestMachine()
    let text = """
      local class = {}
      class.__index = class
      for i = 1, 300000 do local object = setmetatable({i}, class) end
      """
    for _ in 0..<4 { try lua.run(text) }
    #expect(lua.machine.memory < 2 << 20)
    let limited = try TestMachine(memoryQuota: 4 << 20)
    for _ in 0..<2 { try limited.run(text) }
    let kept = "kept = {} for i = 1, 1e7 do kept[i] = setmetatable({}, {}) end"
    guard case .memoryExceeded? = failure({ () throws(LuaError) in try limited.run(kept) }) else {
      Issue.record("the quota doesn't hold")
      return
    }
  }

  /// Values that depend on a locale: letters, the order of strings, and the decimal separator.
  static let locale = """
    return {('ÄäéÉ\\xe4\\xc4'):upper():byte(1, -1)}, {('ÄäéÉ\\xe4\\xc4'):lower():byte(1, -1)},
      {'a' < 'B', 'ä' < 'z', 'a' < 'A', '_' < 'a'}, tostring(1.5), ('%.2f %g'):format(0.5, 1e10 / 3),
      tonumber('1.5'), tonumber('1,5') == nil, 1.5 .. '', '1.5' + 1, load('return 2.5')()
    """

  @Test func `Lua's locale is C, whatever the program's is`() async {
    await #expect(processExitsWith: .success) {
      func answers() throws -> String { "\(try TestMachine().run(Self.locale))" }
      let before = try answers()
      let locale = try ForeignLocale()
      setenv("LOCPATH", locale.path, 1)
      try #require(setlocale(LC_ALL, ForeignLocale.name) != nil)
      try #require(
        strcoll("a", "B") < 0 && String(cString: localeconv().pointee.decimal_point) == ",")
      try #require(try answers() == before)
      // The program's own setting is unchanged.
      try #require(strcoll("a", "B") < 0)
    }
  }
}
