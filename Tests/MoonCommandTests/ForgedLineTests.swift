import MoonTestSupport
import Testing

/// Texts of modules in the lines that the program prints.
@Suite(.ownThread) struct ForgedLineTests {
  private static let module = """
    local moon = require "moonwire"
    return moon.module {
      description = "x\\nforged by a description", state = {},
      settings = {
        city = { "string", default = "Rome\\nforged by a value", "y\\nforged by a setting" },
      },
      actions = { go = { "z\\nforged by an action" }, fail = {}, refuse = {} },
      reducers = {
        fail = function() error("e\\nforged by an error", 0) end,
        refuse = function() moon.refuse "r\\nforged by a refusal" end,
      },
      handlers = { ["/h"] = function() return moon.redirect "/x\\nforged by a redirect" end },
      routes = { ["/s"] = function() return { kind = "k\\nforged by a kind",
        title = "t\\nforged by a title", body = { moon.ui.text "b\\nforged by a body" } } end },
    }
    """

  @Test(arguments: [
    ":modules", ":actions", ":settings", ":registrations", "m/fail", "m/refuse",
    "m/fail\n:history", "m/refuse\n:history", "m/fail\n:why 1", ":open /h", ":open /s",
    ":open /s\n:screen", ":open /s\n:history", ":open /s\n:nav", ":open /s\n:state navigation",
    ":open \"/x\\nforged\"", ":routes", ":routes /h", ":services x\tforged",
  ])
  func `no text of a module begins a line of its own`(input: String) throws {
    let folder = try ScriptFolder(["m.lua": Self.module])
    let run = try Program.run(["run", folder.root, "--keep-going"], input: input + "\n")
    let lines = (run.output + "\n" + run.errors).split(separator: "\n")
    #expect(!run.errors.contains("can't be loaded"), "\(run)")
    #expect(lines.count > 0)
    #expect(lines.filter { $0.hasPrefix("forged") } == [], "\(run)")
  }
}
