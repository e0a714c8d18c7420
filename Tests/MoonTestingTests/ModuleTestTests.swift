import Foundation
import MoonTestSupport
import Moonwire
import Testing

@testable import MoonTesting

/// Tests of modules in Lua, written by hand and from recordings.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct ModuleTestTests {
  private func folder(_ test: String) throws -> ScriptFolder {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    try folder.save("tests/t.lua", test)
    return folder
  }

  private func steps(_ steps: String, _ more: String = "") throws -> Program.Result {
    let folder = try folder("return { \(more) steps = { \(steps) } }")
    return try Program.run(["test", folder.root])
  }

  private static let counting = #"changes = { ["counter.count"] = "#

  static let passing = [
    #"{ type = "counter/add", \#(counting)1 } }"#,
    #"{ type = "counter/add", payload = { by = 3 }, \#(counting)3 } }"#,
    #"{ type = "counter/add", payload = { by = "x" }, error = "doesn't fit" }"#,
    #"{ type = "counter/ad", error = "no module knows" }"#,
    #"{ type = "counter/reset" }"#,
    #"{ actions = { { type = "counter/add" }, { type = "counter/add" } }, \#(counting)2 } }"#,
  ]

  @Test(arguments: passing) func `what is as expected passes`(steps: String) throws {
    let run = try self.steps(steps)
    #expect(run.output == "passed  t\n1 test passed\n" && run.code == 0, "\(run)")
  }

  @Test func `tests in a module's own folder are found, too`() throws {
    let test = #"return { steps = { { type = "counter/reset" } } }"#
    let folder = try ScriptFolder([
      "counter/init.lua": ScriptFolder.counter, "counter/tests/own.lua": test,
      "other.lua": "return {}",
    ])
    var run = try Program.run(["test", folder.root])
    #expect(run.output == "passed  counter/own\n1 test passed\n" && run.code == 0, "\(run)")
    try folder.save("tests/t.lua", test)
    run = try Program.run(["test", folder.root])
    #expect(run.output == "passed  t\npassed  counter/own\n2 tests passed\n", "\(run)")
  }

  static let failing: [(steps: String, lines: [String])] = [
    (#"{ type = "counter/add" }"#, ["+ counter.count: 1"]),
    (
      #"{ type = "counter/add", \#(counting)2 } }"#, ["− counter.count: 2", "+ counter.count: 1"]
    ),
    (#"{ type = "counter/reset", \#(counting)2 } }"#, ["− counter.count: 2"]),
    (
      #"{ type = "counter/add", removed = { "counter.count" } }"#,
      ["− counter.count: removed", "+ counter.count: 1"]
    ),
    (#"{ type = "counter/reset", error = "no" }"#, ["− error: no"]),
    (
      #"{ type = "counter/ad" }"#,
      ["+ error: no module knows the action counter/ad; did you mean counter/add?"]
    ),
  ]

  @Test(arguments: failing)
  func `what isn't as expected fails with both sides`(steps: String, lines: [String]) throws {
    let run = try self.steps(steps)
    #expect(run.code == 1 && run.lines.first == "failed  t", "\(run)")
    #expect(run.lines.last == "0 tests passed, 1 failed")
    #expect(run.lines.dropFirst(2).dropLast() == lines.map { "    \($0)" }[...], "\(run)")
  }

  static let wrong: [(text: String, message: String)] = [
    ("return", "returns none"), ("return 1", "return test functions by name"),
    ("return {", "can't be run"), ("error 'oops'", "oops"),
    ("return { step = {} }", "'steps'"),
    ("return { steps = {}, stat = {} }", "did you mean 'state'"),
    ("return { steps = { 1 } }", "step 1"), ("return { steps = { {} } }", "'type' is missing"),
    ("return { steps = { { type = 'a/b', id = -1 } } }", "as in a recording"),
    ("return { steps = { { type = 'a/b', id = 9007199254740993 << 9 } } }", "as in a recording"),
    ("return { steps = { { actions = {} } } }", "'actions' is empty"),
    ("return { steps = { { type = 'a/b', removed = { 1 } } } }", "list of paths"),
    (
      "return { { steps = { { type = 'a/b' } } }, { steps = { { tyep = 1 } } } }",
      "t, test 2, step 1"
    ),
    ("return { steps = {} }", "'steps' is empty"), ("return {}", "return test functions by name"),
    ("return { state = 5, steps = { { type = 'a/b' } } }", "'state' is a table of slices"),
  ]

  @Test(arguments: wrong)
  func `a file that isn't a test is told, and no test runs`(text: String, message: String) throws {
    let folder = try folder(text)
    let run = try Program.run(["test", folder.root])
    #expect(run.code == 65 && run.errors.contains(message) && run.output == "", "\(run)")
    #expect(run.errors.contains("tests/t.lua"), "\(run)")
  }

  @Test func `a test that begins with the slice of no module fails`() throws {
    let step = #"{ type = "counter/reset", changes = { ["counter.count"] = 0 } }"#
    let known = try steps(step, "state = { counter = { count = 5 } },")
    #expect(known.code == 0, "\(known)")
    let run = try steps(step, "state = { counter = { count = 5 }, conter = {} },")
    #expect(run.code == 1, "\(run)")
    let title = "  the option state: there is no module conter; did you mean counter?"
    #expect(run.lines == ["failed  t", title, "0 tests passed, 1 failed"], "\(run)")
  }

  @Test func `without tests, and with a module that has a problem, nothing runs`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    #expect(try Program.run(["test", folder.root]).code == 66)
    try folder.save("tests/t.lua", #"return { steps = { { type = "counter/reset" } } }"#)
    #expect(try Program.run(["test", folder.root, "x"]).code == 66)
    try folder.save("bad.lua", "return {")
    let run = try Program.run(["test", folder.root])
    #expect(run.code == 65 && run.errors.contains("bad"), "\(run)")
  }

  @Test func `a recording becomes a test, which finds what has changed`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    _ = try Program.run(
      ["record", folder.root, "--out", folder.path("../r.jsonl")],
      input: "counter/add by=2\ncounter/add by=3\ncounter/reset\ncounter/add\n")
    func test(_ options: [String]) throws -> Program.Result {
      let written = try Program.run(["replay", "--test", folder.path("../r.jsonl")] + options)
      #expect(written.code == 0, "\(written)")
      try folder.save("tests/r.lua", written.output)
      return try Program.run(["test", folder.root, "--json"])
    }
    for options in [[], ["--from", "2"], ["--to", "2"], ["--from", "2", "--to", "3"]] {
      let run = try test(options)
      #expect(run.code == 0 && run.output.contains("as recorded in r.jsonl"), "\(options) \(run)")
    }
    try folder.save(
      "counter.lua", ScriptFolder.counter.replacing("state.count = 0 end", with: "end"))
    #expect(try test(["--to", "2"]).code == 0)
    let run = try test([])
    #expect(run.code == 1 && run.output.contains("\"step\":3"), "\(run)")
    let none = try Program.run(["replay", "--test", folder.path("../r.jsonl"), "--from", "9"])
    #expect(none.code == 65 && none.errors.contains("no actions in that range"), "\(none)")
    let turned = try Program.run(["replay", "--test", "r", "--from", "2", "--to", "1"])
    #expect(turned.code == 64)
    let unasked = try Program.run(["replay", "r", "--from", "2"])
    #expect(unasked.code == 64)
  }

  @Test func `a test that is written from a journal leaves out what modules redact`() throws {
    let folder = try ScriptFolder([
      "auth.lua": """
      return {
        redact = { "auth.token" },
        state = { token = "first secret", name = "" },
        actions = { set = { token = "string", name = "string" } },
        reducers = { set = function(s, p) s.token, s.name = p.token, p.name end },
      }
      """
    ])
    let journal = folder.path("../journal")
    _ = try Program.run(
      ["run", "--no-watch", "--journal", journal, folder.root],
      input: "auth/set token=\"second secret\" name=Ada\n")
    let written = try Program.run(["replay", "--test", journal, folder.root])
    #expect(written.code == 0 && !written.output.contains("secret\""), "\(written)")
    #expect(written.output.contains("write a value that isn't secret there"), "\(written)")
    try folder.save("tests/r.lua", written.output)
    let run = try Program.run(["test", folder.root])
    #expect(run.code == 0 && run.output.contains("1 test passed"), "\(run)")
  }

  @Test func `a test that is written leaves out what the options name as well`() throws {
    let folder = try ScriptFolder([
      "auth.lua": """
      return {
        redact = { "auth.pin" },
        state = { token = "first secret", pin = "pin secret", name = "" },
        actions = { set = { token = "string", pin = "string", name = "string" } },
        reducers = { set = function(s, p) s.token, s.pin, s.name = p.token, p.pin, p.name end },
      }
      """
    ])
    let journal = folder.path("../journal")
    _ = try Program.run(
      ["run", "--no-watch", "--journal", journal, folder.root],
      input: "auth/set token=\"second secret\" pin=\"other secret\" name=Ada\n")
    func write(_ options: [String]) throws -> Program.Result {
      try Program.run(["replay", "--test", journal, folder.root] + options)
    }
    let whole = try write([])
    #expect(whole.output.contains("second secret"), "\(whole)")
    let written = try write(["--redact", "auth.token"])
    #expect(written.code == 0 && !written.output.contains("secret\""), "\(written)")
    #expect(written.output.contains("Ada"), "\(written)")
    let other = try write(["--redact", "auth.token", "--redact", "auth.name"])
    #expect(!other.output.contains("secret\"") && !other.output.contains("Ada"), "\(other)")
    try folder.save("tests/r.lua", written.output)
    let run = try Program.run(["test", folder.root])
    #expect(run.code == 0 && run.output.contains("1 test passed"), "\(run)")
    let misspelt = try write(["--redact", "token"])
    #expect(misspelt.code == 64 && misspelt.errors.contains("a path such as"), "\(misspelt)")
    let unasked = try Program.run(["replay", journal, folder.root, "--redact", "auth.token"])
    #expect(unasked.code == 64 && unasked.errors.contains("add --test"), "\(unasked)")
  }

  static let values: [Value] = [
    .null, true, 7, .int(.min), .int(.max), 1.5, 1e300, -0.25, 3.0, "", "a\"b\\c\nd\u{1}é\u{202E}",
    .list(List()), .map(Map()), [1, [2, "x"]], ["end": 1, "a b": ["x": .null], "ok": false],
    .map(Map([(.int(3), "three")])),
    [
      "long": "a text that is long enough", "longer": "so that the table gets several lines",
      "deep": [["x": 1], ["x": 2]], "type": "t",
    ],
  ]

  @Test(arguments: values) func `a value written as Lua is the same when it is read`(
    value: Value
  ) async throws {
    let host = try Host(directory: nil)
    let session = await host.openSession()
    let text = LuaLiteral.text(["v": value])
    let values = try await host.evaluate("return \(text)", in: session)
    guard case .value(let read)? = values.first else {
      Issue.record("\(text) isn't plain data")
      return
    }
    let key: Key = "v"
    // A field that is null isn't there in Lua.
    #expect(read.mapValue?[key] ?? .null == value, "\(text)")
    await host.close()
  }
}
