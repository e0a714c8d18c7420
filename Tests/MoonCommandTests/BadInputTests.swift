import Foundation
import MoonTestSupport
import Testing

/// Every kind of bad input is reported with its place, and valid modules keep running.
@Suite(.ownThread) struct BadInputTests {
  /// Files beside a valid module, the expected messages, and texts that must not appear.
  static let folders: [(files: [String: String], said: [String])] = [
    (["m.lua": "return 5"], ["module m returns a number, not a table of registrations", "m.lua"]),
    (["m.lua": ""], ["module m returns nothing, not a table of registrations"]),
    (
      ["m.lua": "return {\n  reducer = {},\n}"],
      ["module m has a key that nothing knows: reducer", "m.lua:2", "did you mean reducers?"]
    ),
    (
      ["a.lua": "return {}", "a/init.lua": "return {}"],
      ["module a is there more than once", "a/init.lua"]
    ),
    (["2fast.lua": "return {}"], ["'2fast' can't be a module's name", "2fast.lua"]),
    (["host.lua": "return {}"], ["'host' can't be a module's name"]),
    (
      ["m.lua": "return {\n  reducers = {\n    add = 5,\n  },\n}"],
      ["reducers[\"add\"] of module m is a number, and must be a function", "m.lua:3"]
    ),
    (
      ["m.lua": "return { state = { f = function() end } }"],
      ["state.f of module m: a function can't be kept in the state", "m.lua:1"]
    ),
    (
      ["m.lua": "return { actions = { add = { by = 'int' } } }"],
      ["'int' at actions.add.by of module m is no type of a field"]
    ),
    (["m.lua": "return {,}"], ["module m has a syntax error", "m.lua:1"]),
    (
      ["m.lua": "local x = nil\nreturn { state = x.y }"],
      ["module m can't be loaded", "m.lua:2: attempt to index a nil value", "> 2 | return"]
    ),
    (["m.lua": "while true do end"], ["module m ran longer than 2.0 s", "loop that never ends"]),
    (["m.lua": "require 'nothing'"], ["there is no library 'nothing'"]),
  ]

  @Test(arguments: folders)
  func `a faulty module is named and the others run`(
    files: [String: String], said: [String]
  ) throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    for (name, text) in files { try folder.save(name, text) }
    let result = try Program.run(["run", folder.root], input: "counter/add by=2\n")
    #expect(result.output == "counter.count  0 → 2\n")
    #expect(result.code == 0)
    for text in said { #expect(result.errors.contains(text), "\(text) in:\n\(result.errors)") }
    #expect(!result.errors.contains(folder.root))
  }

  @Test func `strictness runs nothing beside a faulty module`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter, "m.lua": "return 5"])
    let result = try Program.run(["run", folder.root, "--strict"], input: "counter/add\n")
    #expect(result.output == "")
    #expect(result.code == 65)
    #expect(result.errors.contains("nothing runs: 1 problem in the modules"))
  }

  @Test func `checking lists problems and starts nothing`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let good = try Program.run(["check", folder.root])
    #expect(good.output == "1 module, no problems\n")
    #expect(good.errors == "")
    #expect(good.code == 0)
    try folder.save("m.lua", "return { on_start = function() print('started') end, x = 1 }")
    let bad = try Program.run(["check", folder.root])
    #expect(bad.output == "2 modules, 1 problem\n")
    #expect(bad.code == 1)
    #expect(
      bad.errors == """
        error: module m has a key that nothing knows: x [unknown_key]
          m.lua:1
          meanwhile    m isn't in service, nor is anything else in it

        """)
    let json = try Program.run(["check", "--json", folder.root])
    #expect(json.code == 1)
    #expect(json.lines.count == 1)
    #expect(json.output.contains("\"message\":\"module m has a key that nothing knows: x\""))
  }

  @Test(arguments: ["run", "check"])
  func `a directory that isn't there is code 66`(command: String) throws {
    let folder = try ScriptFolder(["file": ""])
    let missing = try Program.run([command, folder.root + "/none"])
    #expect(missing.code == 66)
    #expect(missing.output == "")
    #expect(missing.errors.hasPrefix("error: there is no directory \(folder.root)/none\n  help"))
    let file = try Program.run([command, folder.root + "/file"])
    #expect(file.code == 66)
    #expect(file.errors.hasPrefix("error: \(folder.root)/file isn't a directory"))
  }

  @Test func `an empty directory says so`() throws {
    let folder = try ScriptFolder()
    let result = try Program.run(["run", folder.root], input: ":modules\n:actions\n")
    #expect(
      result.errors
        == "\(folder.root) has no modules yet: save one there, such as hello.lua, and it starts\n")
    #expect(result.lines == ["there are no modules yet", "there are no actions"])
    #expect(result.code == 0)
  }

  @Test(.enabled(if: Program.hasNobody, "setpriv isn't there"))
  func `an unreadable file is named`() throws {
    let folder = try ScriptFolder(["m.lua": "return {}"])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.root + "/m.lua")
    try folder.admitOthers()
    let result = try Program.shell("exec \(Program.asNobody)$MOONWIRE check \(folder.root)")
    #expect(result.code == 1)
    #expect(result.errors.contains("m.lua can't be used"))
    #expect(result.errors.contains("Permission denied"))
  }

  @Test func `a file that is no text, or a link to nowhere, is named`() throws {
    let folder = try ScriptFolder(["good.lua": "return {}"])
    try Data([0x1B, 0x4C, 0x75, 0x61]).write(
      to: URL(filePath: folder.root).appending(path: "bytes.lua"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.root + "/dead.lua", withDestinationPath: "nowhere")
    let result = try Program.run(["check", folder.root])
    #expect(result.code == 1)
    #expect(result.errors.contains("module bytes"))
    #expect(result.errors.contains("dead.lua can't be used"))
    #expect(result.errors.contains("it is a symbolic link to nowhere, and there is nothing there"))
    #expect(result.errors.contains("help         restore what it points to, or remove the link"))
    #expect(!result.errors.contains("who may read"))
  }

  static let lines: [(line: String, said: [String])] = [
    ("counter/ad", ["no module knows the action counter/ad", "did you mean counter/add?"]),
    ("counter", ["column 1: 'counter' isn't an action"]),
    (
      "counter/add by=x",
      ["'by' must be integer, not a string", "takes        by (integer, optional)"]
    ),
    ("counter/add bye=1", ["there is no field 'bye'; did you mean 'by'?"]),
    ("counter/add by=[", ["column 17: the JSON ends too early"]),
    (":state counter.cuont", ["there is nothing at counter.cuont", "did you mean counter.count?"]),
    (":actions coutner", ["there is no module coutner", "did you mean counter?"]),
    (":travel 3", ["there is no command :travel", "did you mean :goto?"]),
    (":modulse", ["there is no command :modulse", "did you mean :modules?"]),
    ("= error('boom')", ["what was typed failed", "prompt:1: boom"]),
    ("= 1 +* 2", ["what was typed has a syntax error"]),
    (
      "faulty/fail",
      [
        "reducer faulty/fail of module faulty failed", "faulty.lua:3: no way", "> 3 |",
        "caused by    faulty/fail #1 from the prompt",
      ]
    ),
    ("faulty/keep", ["state.f", "can't be kept in the state"]),
    ("faulty/loop", ["ran longer than 1.0 s", "the state is kept"]),
  ]

  static let faulty = """
    return {
      state = { n = 0 },
      reducers = { fail = function() error("no way") end,
        keep = function(state) state.f = print end,
        loop = function() while true do end end },
    }
    """

  @Test(arguments: lines)
  func `a bad line is named and changes nothing`(line: String, said: [String]) throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter, "faulty.lua": Self.faulty])
    let result = try Program.run(
      ["run", folder.root, "--keep-going"], input: line + "\n:state\n")
    #expect(result.output == "{counter = {count = 0}, faulty = {n = 0}}\n")
    #expect(result.code == 65)
    for text in said + ["input        line 1: \(line)"] {
      #expect(result.errors.contains(text), "\(text) in:\n\(result.errors)")
    }
  }
}
