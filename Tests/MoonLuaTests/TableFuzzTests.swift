import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// Random tables, as scripts write them: each gives an error, or data that comes back unchanged.
///
/// The machine has a quota, as a module's has, since some calls of `rep` ask for more memory than
/// there is.
struct TableFuzzTests {
  /// The number of cases for which a machine is used.
  static let casesPerMachine = 500
  static let quota = 32 << 20

  static let tables = FuzzGrammar(
    seeds: [
      "{1, 2, 3}", "{a = 1, b = {c = 'x'}}", "{['k'] = true, [1] = 2}", "{[1] = 1, [2] = 2}",
      "{moon.null, moon.list(), {}}", "{x = 0x10, y = 1e308 * 10, z = -0.0, w = 3 // 2}",
      "moon.list({1, 2})", "{('x'):rep(300), '\\0\\xff', \"\\u{10FFFF}\"}", "'text', 5, nil",
      "setmetatable({a = 1}, {__index = {b = 2}})", "{[-1] = 1, [0] = 2, [math.maxinteger] = 3}",
    ],
    pieces: [
      "{", "}", ",", ";", "=", "[", "]", "a", "b", "1", "2", "-", "0/0", "1/0", "nil", "true",
      "'x'",
      "moon.null", "moon.list()", "print", "function() end", "coroutine.create(print)", "..", "#",
      "(", ")", "'\\xff'", "math.mininteger", "2^53", "{}", "setmetatable({}, {})", "[[", "]]",
      "--",
      "string", "_G",
    ])

  @Test func `any text of a table is an error or data that comes back`() throws {
    var lua = try TestMachine(memoryQuota: Self.quota)
    var same = try lua.function(WireTests.same)
    var count = 0
    // Ended by a text that asked for more memory than there is.
    var isLost = false
    let failure = Fuzzing("tables", cases: 4000).firstFailure(
      make: { Self.tables.text(&$0) },
      check: { bytes, _ in
        count += 1
        do {
          if count % Self.casesPerMachine == 0 || isLost {
            isLost = false
            lua = try TestMachine(memoryQuota: Self.quota)
            same = try lua.function(WireTests.same)
          }
          return try Self.problem(of: bytes, lua, same)
        } catch LuaError.memoryExceeded {
          isLost = true
          return nil
        } catch {
          return "the machine is lost: \(error)"
        }
      })
    #expect(failure == nil, "\(failure ?? "")")
  }

  private static func problem(
    of bytes: [UInt8], _ lua: TestMachine, _ same: LuaFunction
  ) throws -> String? {
    let forms: [Form]
    do throws(LuaError) {
      let source = Array("local moon = require 'moonwire' return ".utf8) + bytes
      forms = try lua.machine.run(source, file: "counter.lua", limits: lua.limits)
    } catch {
      if case .memoryExceeded = error { throw error }
      return error.isFatal ? "it ended the machine: \(error)" : nil
    }
    for case .value(let value) in forms {
      // JSON has null for what it can't express.
      if value.hasNaN { continue }
      let text = value.canonicalText
      guard try Value(parsing: text) == value else { return "\(text) reads as something else" }
      let back = try lua.machine.call(same, [.value(value)], limits: lua.limits)
      guard back == [value.asLuaHasIt] else { return "\(value) came back as \(back)" }
    }
    return nil
  }
}

extension Value {
  fileprivate var hasNaN: Bool {
    switch self {
    case .double(let double): double.isNaN
    case .list(let list): list.contains { $0.hasNaN }
    case .map(let map): map.contains { $0.value.hasNaN }
    default: false
    }
  }
}
