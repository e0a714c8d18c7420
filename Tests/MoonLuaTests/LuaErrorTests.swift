import MoonTestSupport
import MoonValues
import Testing

@testable import MoonLua

@Suite struct LuaErrorTests {
  @Test func `a syntax error names its line, without repeating it in the message`() throws {
    let lua = try TestMachine()
    let error = failure { () throws(LuaError) in try lua.run("local x = 1\nlocal = 2") }
    #expect(
      error
        == .syntax(
          LuaReport(
            message: "<name> expected near '='", place: SourcePlace(file: "counter.lua", line: 2)),
          isIncomplete: false))
    guard
      case .syntax(_, let isIncomplete)? = failure({ () throws(LuaError) in try lua.run("if x") })
    else {
      Issue.record("no syntax error")
      return
    }
    #expect(isIncomplete)
  }

  @Test func `the host's own functions aren't where an error is`() {
    let own = LuaFrame(place: SourcePlace(file: "a.lua", line: 3), function: "f")
    let host = LuaFrame(
      place: SourcePlace(file: "moonwire/navigation.lua", line: 15), function: "check")
    for text in ["no", "moonwire/navigation.lua:15: no", "a.lua:3: no"] {
      let report = LuaReport(text: text, frames: [host, own], chunks: [])
      #expect(report == LuaReport(message: "no", place: own.place, frames: [own]))
    }
    #expect(LuaReport(text: "no", frames: [host], chunks: []).place == nil)
  }

  @Test func `an error that is raised again at its line has the place once`() {
    let own = LuaFrame(place: SourcePlace(file: "a.lua", line: 3), function: "f")
    func message(_ text: String) -> String {
      LuaReport(text: text, frames: [own], chunks: []).message
    }
    #expect(message("a.lua:3: a.lua:3: a.lua:3: no") == "no")
    #expect(message("a.lua:3: a.lua:30: no") == "a.lua:30: no")
    #expect(message("a.lua:3: as a.lua:3: no") == "as a.lua:3: no")
  }

  @Test func `a run-time error has its place and the functions that led there`() throws {
    let lua = try TestMachine()
    let found = report { () throws(LuaError) in
      try lua.run(
        """
        local function inner(x)
          return x.y.z
        end
        function outer() local r = inner({}) return r end
        local r = outer()
        """)
    }
    let report = try #require(found)
    #expect(report.message == "attempt to index a nil value (field 'y')")
    #expect(report.place == SourcePlace(file: "counter.lua", line: 2))
    #expect(report.frames.map(\.place.line) == [2, 4, 5])
    #expect(report.frames.map(\.function) == ["inner", "outer", "main chunk"])
  }

  @Test(arguments: [
    ("error({code = 1})", "(the error is a table)"), ("error()", "(the error is a nil)"),
    ("error(nil)", "(the error is a nil)"), ("error(true)", "(the error is a boolean)"),
    ("error(12)", "12"), ("error(1.5)", "1.5"),
    ("error(function() end)", "(the error is a function)"),
    ("error(state)", "(the error is a table)"), ("error('text', 0)", "text"),
    ("error('x: y: z')", "x: y: z"), ("error('other.lua:7: z', 0)", "other.lua:7: z"),
    (
      "error(('long '):rep(10000), 0)", String(String(repeating: "long ", count: 1000).prefix(4096))
    ),
    ("error('\\xff\\xfe', 0)", "\u{FFFD}\u{FFFD}"), ("error('', 0)", ""),
    (
      "error(setmetatable({}, {__tostring = function() error('no') end}))", "(the error is a table)"
    ),
  ])
  func `whatever is raised can be reported`(text: String, message: String) throws {
    let lua = try TestMachine()
    let found = report { () throws(LuaError) in try lua.reduce([:], text) }
    #expect(found?.message == message)
    #expect(found?.place?.file == "counter.lua")
    #expect(try lua.reduce(["n": 1], "state.n = 2") == ["n": 2], "the machine goes on")
  }

  @Test(arguments: [
    String(repeating: "d/", count: 60) + "x.lua", String(repeating: "é", count: 70) + ".lua",
    "a/" + String(repeating: "n", count: 700) + ".lua", "with space.lua", "a:b.lua", "😀.lua",
  ])
  func `a file is known by its whole name, however long`(file: String) throws {
    let lua = try TestMachine()
    let raised = report { () throws(LuaError) in try lua.run("\n\nerror('no')", file: file) }
    #expect(raised?.message == "no")
    #expect(raised?.place == SourcePlace(file: file, line: 3))
    let wrong = report { () throws(LuaError) in try lua.run("\n\n)", file: file) }
    #expect(wrong?.message == "unexpected symbol near ')'")
    #expect(wrong?.place == SourcePlace(file: file, line: 3))
  }

  @Test func `an error in a library has the library's place`() throws {
    let long = String(repeating: "deep.", count: 20) + "lib"
    let lua = try TestMachine(libraries: [
      "lib.raises": "\nerror('at load')", "lib.wrong": "local x = 1\nlocal = 2",
      "lib.later": "return {f = function()\n\n error('later') end}", long: "\n\n\n)",
    ])
    let raises = report { () throws(LuaError) in try lua.run("\n\n\nrequire 'lib.raises'") }
    #expect(raises?.message == "at load")
    #expect(raises?.place == SourcePlace(file: "lib/raises.lua", line: 2))
    #expect(raises?.frames.map(\.place.file) == ["lib/raises.lua", "counter.lua"])
    let wrong = report { () throws(LuaError) in try lua.run("\n\n\nrequire 'lib.wrong'") }
    #expect(wrong?.message == "<name> expected near '='")
    #expect(wrong?.place == SourcePlace(file: "lib/wrong.lua", line: 2))
    #expect(wrong?.frames.map(\.place) == [SourcePlace(file: "counter.lua", line: 4)])
    let later = report { () throws(LuaError) in try lua.run("require('lib.later').f()") }
    #expect(later?.place == SourcePlace(file: "lib/later.lua", line: 3))
    let deep = report { () throws(LuaError) in try lua.run("require '\(long)'") }
    #expect(
      deep?.place
        == SourcePlace(file: long.split(separator: ".").joined(separator: "/") + ".lua", line: 4))
  }

  @Test func `an error inside a coroutine is reported where it is raised again`() throws {
    let lua = try TestMachine()
    let found = report { () throws(LuaError) in
      try lua.run("local f = coroutine.wrap(function()\n error('inside') end)\n\nf()")
    }
    #expect(found?.message.hasSuffix("inside") == true)
    #expect(found?.place?.file == "counter.lua")
    #expect(found?.frames.first?.place == SourcePlace(file: "counter.lua", line: 4))
  }

  @Test func `frames are limited in number and length`() throws {
    let lua = try TestMachine()
    let endless = report { () throws(LuaError) in
      try lua.run("local function f(n) local r = f(n + 1) return r end f(1)")
    }
    #expect(endless?.message.hasPrefix("stack overflow") == true)
    #expect(endless?.frames.count == 24)
    let named = report { () throws(LuaError) in
      try lua.run("load(\"error('x')\", '@' .. ('n'):rep(100000))()")
    }
    #expect(named?.frames.first?.place.file.count == 4096)
  }

  @Test func `only a killed machine's errors are fatal`() {
    let report = LuaReport(message: "x")
    #expect(LuaError.timedOut(report, budgetMilliseconds: 1).isFatal)
    #expect(LuaError.interrupted(report).isFatal)
    #expect(LuaError.machineIsDead.isFatal)
    for error in [
      LuaError.runtime(report), .syntax(report, isIncomplete: true), .outOfMemory, .machineIsBusy,
    ] {
      #expect(!error.isFatal)
    }
  }
}
