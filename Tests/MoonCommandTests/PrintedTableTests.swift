import MoonTestSupport
import Testing

/// Output that people often look up: tables in the log, and the actions of the navigation.
@Suite(.ownThread) struct PrintedTableTests {
  static let printed: [(value: String, shown: String)] = [
    ("{ a = 1, b = { 'x', 'y' } }", "{a = 1, b = [\"x\", \"y\"]}"), ("{}", "{}"),
    ("1, { 2.5, false }, 'z'", "1\t[2.5, false]\tz"),
    ("{ ['a b'] = 1, [7] = 'seven' }", "{[7] = \"seven\", [\"a b\"] = 1}"),
    ("setmetatable({}, { __tostring = function() return 'mine' end })", "mine"),
    ("{ 'a\\nb' }", "[\"a\\\\nb\"]".replacing("\\\\", with: "\\")),
    (
      "(function() local t = {} t.t = t return t end)()",
      "{t = {t = {t = {t = {t = {t = {t = {t = …}}}}}}}}"
    ),
  ]

  @Test(arguments: printed)
  func `print shows what is in a table`(value: String, shown: String) throws {
    let folder = try ScriptFolder()
    let result = try Program.run(["run", folder.root], input: "= print(\(value))\n")
    #expect(result.output == shown + "\n", "\(result.errors)")
  }

  @Test func `a view of the state and a draft are shown, and much is cut`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      local moon = require "moonwire"
      return { state = { items = { "a", { n = 1 } } }, reducers = {
        go = function(state) moon.log.info("draft", state) end,
        much = function() local t = {} for i = 1, 100000 do t[i] = i end print(t) end } }
      """
    ])
    let result = try Program.run(
      ["run", folder.root], input: "= print(state('m'))\nm/go\nm/much\n")
    #expect(result.code == 0)
    #expect(result.output.contains("{items = [\"a\", {n = 1}]}"), "\(result)")
    #expect(result.errors.contains("draft\t{items = [\"a\", {n = 1}]}"), "\(result.errors)")
    #expect(result.errors.contains(", 199, 200, …]"), "\(result.errors)")
  }

  @Test func `the actions of the navigation are listed by their owner`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let result = try Program.run(["run", folder.root], input: ":actions nav\n")
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      result.output.contains("nav/push animated=boolean? origin=string? screen=any")
        && !result.output.contains("counter/"))
    let wrong = try Program.run(["run", folder.root], input: ":actions nov\n")
    #expect(wrong.code == 65)
  }
}
