import Foundation
import MoonTestSupport
import Testing

/// Lua and JSON that span several lines of a script.
@Suite(.ownThread) struct PieceTests {
  private let folder: ScriptFolder

  init() throws {
    folder = try ScriptFolder(["todo.lua": ScriptFolder.todo])
  }

  @Test func `JSON of several lines is piped`() throws {
    let run = try Program.run(
      ["run", folder.root],
      input: "todo/add {\n  \"title\": \"x\"\n}\ntodo/add title={\ntodo/add [\"")
    #expect(run.output.contains(#"["x"]"#))
    #expect(run.code == 65)
  }

  /// Pieces that are never complete, as piped, and the message about their first line.
  static let slips: [(lines: String, said: String)] = [
    (
      "todo/add title={\ntodo/add title=x\n",
      """
      error: column 17: the JSON ends too early
        help         quote keys and texts with "…"
        input        line 1: todo/add title={
        continued    line 2: todo/add title=x
      """
    ),
    (
      "todo/add title=[\n1,\ntodo/add title=x\n",
      """
        input        line 1: todo/add title=[
        continued    line 3: todo/add title=x
      """
    ),
    (
      "= (function()\ntodo/add title=x\n",
      """
        input        line 1: = (function()
        continued    line 2: todo/add title=x
      """
    ),
    ("= --[[\ntodo/add title=x", "  input        line 1: = --[[\n"),
    ("todo/add title=[\n\ntodo/add title=x", "  input        line 1: todo/add title=[\n"),
    (
      "= --[[\n" + String(repeating: "#\n", count: 600) + "todo/add title=x",
      "error: a piece of Lua or JSON has more than 500 lines\n"
    ),
  ]

  @Test(arguments: slips)
  func `a script's piece that is never whole takes no other line with it`(
    lines: String, said: String
  ) throws {
    let kept = try Program.run(["run", folder.root, "--keep-going"], input: lines)
    #expect(kept.output == "todo.titles  {} → [\"x\"]\n")
    #expect(kept.errors.contains(said), "\(said) in:\n\(kept.errors)")
    #expect(kept.code == 65)
    let stopped = try Program.run(["run", folder.root], input: lines)
    #expect(stopped.output == "")
    #expect(stopped.errors.contains(said))
    #expect(stopped.code == 65)
  }

  @Test func `a piece that is whole and fails is run once`() throws {
    let run = try Program.run(
      ["run", folder.root, "--keep-going"], input: "= error(\n'boom')\ntodo/add {\n\"titel\": 1}\n")
    #expect(run.output == "")
    #expect(run.errors.ranges(of: "error: ").count == 2, "\(run.errors)")
    #expect(run.errors.contains("boom"))
    #expect(run.errors.contains("titel"))
    #expect(run.code == 65)
  }

  @Test func `a line that is too long within a piece is named too`() throws {
    let long = String(repeating: "x", count: 2 << 20)
    let run = try Program.run(
      ["run", folder.root, "--keep-going"],
      input: "todo/add title=[\n\(long)\ntodo/add title=x\nrubbish\n")
    #expect(run.output == "todo.titles  {} → [\"x\"]\n")
    #expect(run.errors.contains("is longer than"), "\(run.errors.prefix(2_000))")
    #expect(run.errors.contains("line 1: todo/add title=["))
    #expect(run.errors.contains("line 4: rubbish"))
    #expect(run.code == 65)
  }
}
