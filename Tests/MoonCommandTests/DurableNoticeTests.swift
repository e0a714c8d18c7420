import Foundation
import MoonTestSupport
import Testing

/// What the command says about durable effects and their tasks.
@Suite(.ownThread) struct DurableNoticeTests {
  private static func module(_ remark: String = "") -> [String: String] {
    [
      "orders.lua": """
      local moon = require "moonwire"  -- \(remark)
      return moon.module {
        actions = { place = {} },
        effects = {
          place = { durable = true, run = function() moon.take "never" end },
        },
      }
      """
    ]
  }

  @Test func `a run that keeps no journal names the effects that end with it`() throws {
    let folder = try ScriptFolder(Self.module())
    let expected = """
      note: no journal is kept, so durable effects end with this run
        effect       orders/place (orders.lua:5)
        help         --journal FILE keeps what they need to go on

      """
    let plain = try Program.run(["run", "--no-watch", folder.root])
    #expect(plain.errors.contains(expected), "\(plain.errors)")
    let recorded = try Program.run(
      ["record", folder.root, "--out", folder.path("../recording")])
    #expect(recorded.errors.contains(expected), "\(recorded.errors)")
    let kept = try Program.run(
      ["run", "--no-watch", "--journal", folder.path("../journal"), folder.root])
    #expect(!kept.errors.contains("durable"), "\(kept.errors)")
  }

  @Test(arguments: [false, true])
  func `a module that comes with a reload is named too, once, unless a journal is kept`(
    hasJournal: Bool
  ) throws {
    let folder = try ScriptFolder(["other.lua": "return {}"])
    try folder.save("../orders.lua", Self.module()["orders.lua"] ?? "")
    let run = try Program.shell(
      """
      cd \(folder.outside)
      mkfifo lines
      "$MOONWIRE" run --no-watch --data data \(hasJournal ? "--journal j" : "") app \\
        < lines > shown 2> notes &
      exec 3> lines
      echo ':modules' >&3
      until grep -q other shown; do sleep 0.02; done
      mv orders.lua app/
      echo ':reload' >&3
      until grep -q 'orders 1' notes; do sleep 0.02; done
      echo '-- more' >> app/orders.lua
      echo ':reload' >&3
      exec 3>&-
      wait $!
      cat notes
      """)
    #expect(run.output.contains("orders 1→2"), "\(run)")
    let notes = run.output.components(separatedBy: "durable effects end with this run")
    #expect(notes.count == (hasJournal ? 1 : 2), "\(run.output)")
    #expect(run.output.contains("orders/place (orders.lua:5)") != hasJournal)
  }

  @Test func `a check notes that durable effects need a journal`() throws {
    let folder = try ScriptFolder(Self.module())
    let checked = try Program.run(["check", folder.root])
    #expect(
      checked.errors == """
        note: durable effects go on only in runs with a journal [needs_journal]
          effect       orders/place (orders.lua:5)
          help         moonwire run with --journal FILE keeps what they need

        """)
    #expect(checked.output == "1 module, no problems, 1 note\n")
    #expect(checked.code == 0)
    let record = try Program.run(["check", "--json", folder.root])
    #expect(record.output.contains("durable effects go on only"), "\(record.output)")
  }

  @Test func `a list of tasks says which are durable, and which run earlier code`() throws {
    let folder = try ScriptFolder(Self.module())
    let options = ["run", "--no-watch", "--data", folder.path("../data"), folder.root]
    let begun = try Program.run(
      options + ["--journal", folder.path("../journal")], input: "orders/place\n:tasks\n")
    #expect(begun.output.contains("orders (durable), after #1"), "\(begun)")
    for (path, text) in Self.module("changed") { try folder.save(path, text) }
    let resumed = try Program.run(
      options + ["--resume", "last"], input: ":tasks\norders/place\n:tasks\n")
    #expect(
      resumed.output.contains(
        /orders \(durable, generation 1, earlier code [0-9a-f]{6}\), after #1/),
      "\(resumed)")
    #expect(resumed.output.contains("orders (durable), after #"), "\(resumed)")
    let record = try Program.run(options + ["--resume", "last", "--json"], input: ":tasks\n")
    #expect(record.output.contains(#""durable":1,"earlier_code":true"#), "\(record.output)")
    for (path, text) in Self.module("changed again") { try folder.save(path, text) }
    let again = try Program.run(options + ["--resume", "last"], input: ":tasks\n")
    let marks = again.output.matches(of: /earlier code ([0-9a-f]{6})/).map(\.1)
    #expect(marks.count == 2 && Set(marks).count == 2, "\(again)")
  }
  @Test func `a resume without the module of a task names it, and keeps the task`() throws {
    let folder = try ScriptFolder(Self.module())
    try folder.save("other.lua", "return {}")
    let options = ["run", "--no-watch", "--data", folder.path("../data"), folder.root]
    _ = try Program.run(
      options + ["--journal", folder.path("../journal")], input: "orders/place\n")
    try FileManager.default.removeItem(atPath: folder.path("orders.lua"))
    let without = try Program.run(options + ["--resume", "last"], input: ":tasks\n")
    #expect(
      without.errors.contains(
        """
        warning: a durable task doesn't go on: its module isn't there
          waiting      1 task of module orders
          help         the journal keeps it until the module is there again

        """), "\(without)")
    try folder.save("orders.lua", Self.module()["orders.lua"] ?? "")
    let with = try Program.run(options + ["--resume", "last"], input: ":tasks\n")
    #expect(with.output.contains("orders (durable), after #1"), "\(with)")
    #expect(!with.errors.contains("doesn't go on"), "\(with)")
  }
}
