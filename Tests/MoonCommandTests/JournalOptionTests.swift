import Foundation
import Glibc
import MoonTestSupport
import Testing

/// Journals on the command line.
@Suite(.ownThread) struct JournalOptionTests {
  private func run(
    _ folder: ScriptFolder, _ options: [String], _ input: String = ""
  ) throws -> Program.Result {
    try Program.run(
      ["run", folder.root, "--data", folder.path("../data")] + options, input: input)
  }

  @Test func `a run goes on where another was killed`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let journal = folder.path("../j")
    // The program is killed while it waits for a line, so that nothing is closed.
    let killed = try Program.shell(
      """
      cd \(folder.outside)
      mkfifo lines
      "$MOONWIRE" run app --journal j --data data < lines > shown &
      exec 3> lines
      echo counter/add by=2 >&3
      echo counter/add >&3
      until [ "$(wc -l < shown)" = 2 ]; do sleep 0.02; done
      kill -9 $!
      cat shown
      """)
    #expect(killed.output == "counter.count  0 → 2\ncounter.count  2 → 3\n")
    let next = try run(folder, ["--resume", journal], "counter/add\n:history 1\n")
    #expect(next.lines.first == "counter.count  3 → 4")
    #expect(next.output.contains("#3") && next.code == 0, "\(next)")
    let last = try run(folder, ["--resume", "last"], ":state counter.count\n")
    #expect(last.output == "4\n" && last.code == 0, "\(last)")
  }

  @Test func `a session that never began is begun by the next run`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter, "wrong.lua": "oops"])
    let journal = folder.path("../j")
    let refused = try run(folder, ["--keep", journal, "--strict"], "counter/add\n")
    #expect(refused.code == 65, "\(refused)")
    try folder.remove("wrong.lua")
    let resumed = try run(folder, ["--resume", journal])
    #expect(resumed.code == 65 && resumed.errors.contains("no state to begin with"), "\(resumed)")
    for count in 0..<2 {
      let kept = try run(folder, ["--keep", journal], "counter/add\n")
      #expect(kept.output == "counter.count  \(count) → \(count + 1)\n", "\(kept)")
    }
    try folder.save("../empty", "")
    let begun = try run(folder, ["--keep", folder.path("../empty")], "counter/add\n")
    #expect(begun.output == "counter.count  0 → 1\n", "\(begun)")
  }

  @Test func `wrong uses say what to do`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let journal = folder.path("../j")
    let none = try run(folder, ["--resume", "last"])
    #expect(none.code == 66 && none.errors.contains("no journal of"), "\(none)")
    let missing = try run(folder, ["--resume", journal])
    #expect(missing.code == 66 && missing.errors.contains("--journal \(journal)"), "\(missing)")
    _ = try run(folder, ["--journal", journal], "counter/add\n")
    let taken = try run(folder, ["--journal", journal])
    #expect(taken.code == 65 && taken.errors.contains("--resume \(journal)"), "\(taken)")
    try folder.save("../x", "hello")
    let foreign = try run(folder, ["--resume", folder.path("../x")])
    #expect(foreign.code == 65 && foreign.errors.contains("isn't a journal"), "\(foreign)")
    let both = try run(folder, ["--journal", "a", "--resume", "b"])
    #expect(both.code == 64)
    let restored = try run(folder, ["--journal", "a", "--restore", "b"])
    #expect(restored.code == 64)
  }

  @Test func `an action that middleware dropped is told from one that changed nothing`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return {
        actions = { idle = {}, no = {}, other = {} },
        middleware = function(action)
          if action.type == "m/no" then return false end
          if action.type == "m/other" then return { type = "m/idle" } end
          return action
        end,
      }
      """
    ])
    let journal = folder.path("../j")
    _ = try run(folder, ["--journal", journal], "m/idle\nm/no\nm/other\n")
    let listed = try Program.run(["journal", journal])
    #expect(
      listed.lines.filter { $0.contains("m/") && $0.contains("prompt") }.map {
        $0.hasSuffix("  dropped")
      } == [false, true, false], "\(listed)")
    let export = try Program.run(["journal", "export", journal])
    #expect(export.lines.map { $0.contains(#""dropped":true"#) }.count { $0 } == 1, "\(export)")
    #expect(try Program.run(["journal", "verify", journal]).code == 0)
    #expect(try Program.run(["replay", journal, folder.root]).code == 0)
    let test = try Program.run(["replay", "--test", journal, folder.root])
    #expect(test.code == 0 && !test.output.contains("dropped"), "\(test)")
  }

  @Test func `a journal is listed, exported, verified and compacted`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let journal = folder.path("../j")
    _ = try run(folder, ["--journal", journal], "counter/add by=2\ncounter/reset\ncounter/add\n")
    let list = try Program.run(["journal", journal])
    #expect(list.lines.count == 3 && list.lines[0].hasPrefix("#1  "), "\(list)")
    #expect(list.lines[0].contains("counter/add {by = 2}  prompt  1 change"), "\(list)")
    let some = try Program.run(["journal", "list", journal, "--type", "counter/add", "--last", "1"])
    #expect(some.lines.count == 1 && some.lines[0].hasPrefix("#3  "), "\(some)")
    let verified = try Program.run(["journal", "verify", journal])
    #expect(verified.output.hasPrefix("3 actions and 1 whole state"), "\(verified)")
    let exported = try Program.run(["journal", "export", journal])
    #expect(exported.lines.count == 4 && exported.lines[0].hasPrefix("{\"moonwire\":"))
    try folder.save("../r", exported.output)
    let replayed = try Program.run(["replay", folder.path("../r"), folder.root])
    #expect(replayed.output == "3 actions replayed: every state is as recorded\n", "\(replayed)")
    let compacted = try Program.run(["journal", "compact", journal])
    #expect(compacted.code == 0, "\(compacted)")
    let after = try run(folder, ["--resume", journal], ":state counter.count\n")
    #expect(after.output == "1\n", "\(after)")
  }

  @Test func `damage of a journal and of a recording has its own advice`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let journal = folder.path("../j")
    _ = try run(folder, ["--journal", journal], "counter/add by=2\ncounter/add\n")
    let recording = try Program.run(["journal", "export", journal]).output
    var bytes = try Data(contentsOf: URL(filePath: journal))
    let offset = try #require(bytes.firstRange(of: Data(#""id":2"#.utf8))?.upperBound)
    bytes[offset] ^= 1
    try bytes.write(to: URL(filePath: journal))
    let verified = try Program.run(["journal", "verify", journal])
    #expect(verified.code == 65 && verified.errors.contains("run --resume takes"), "\(verified)")
    #expect(!verified.errors.contains("journal verify"), "\(verified)")
    let listed = try Program.run(["journal", journal])
    #expect(listed.code == 65 && listed.errors.contains("journal verify says"), "\(listed)")
    let cut = folder.path("../cut.jsonl")
    try folder.save("../cut.jsonl", String(recording.dropLast(20)))
    let broken = try Program.run(["journal", "verify", cut])
    #expect(broken.code == 65 && broken.errors.contains("cut a recording off there"), "\(broken)")
    try folder.save("../cut.jsonl", String(recording.drop { $0 != "\n" }.dropFirst()))
    let headless = try Program.run(["replay", cut, folder.root])
    #expect(
      headless.code == 65 && headless.errors.contains("line 1: there is no whole state"),
      "\(headless)")
    try folder.save("../cut.jsonl", "not json")
    let foreign = try Program.run(["replay", cut, folder.root])
    #expect(foreign.code == 65 && foreign.errors.contains("a list of actions"), "\(foreign)")
  }

  @Test(.enabled(if: Program.hasNobody, "setpriv isn't there"))
  func `a journal that another may not read is named`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    try folder.admitOthers()
    let journal = folder.path("../j")
    _ = try run(folder, ["--journal", journal], "counter/add\n")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: journal)
    let result = try Program.shell("exec \(Program.asNobody)$MOONWIRE journal \(journal)")
    #expect(result.code == 66 && result.errors.contains("can't be read"), "\(result)")
  }

  @Test func `a recording shows the first action that differs, after the risk was accepted`() throws
  {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let file = folder.path("../r")
    let recorded = try Program.run(
      ["record", "--out", file, folder.root], input: "counter/add by=2\ncounter/add\n")
    #expect(recorded.code == 0, "\(recorded)")
    try folder.save(
      "counter.lua", ScriptFolder.counter.replacing("payload.by or 1", with: "payload.by or 5"))
    let refused = try Program.run(["replay", file, folder.root])
    #expect(refused.code == 65 && refused.errors.contains("--accept-risky"), "\(refused)")
    let replayed = try Program.run(["replay", file, folder.root, "--accept-risky"])
    #expect(
      replayed.output
        == "2 actions replayed; #2 counter/add differs (recorded → replayed):\n  counter.count  3 → 7\n",
      "\(replayed)")
    #expect(replayed.code == 1)
  }

  @Test(arguments: ["record app --out j", "run app --journal j"])
  func `a run whose records were deleted says so, and ends with the code for it`(
    command: String
  ) throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let result = try Program.shell(
      """
      cd \(folder.outside)
      mkfifo lines
      "$MOONWIRE" \(command) --data data < lines > shown &
      exec 3> lines
      echo counter/add >&3
      until [ -s shown ]; do sleep 0.02; done
      rm j
      echo counter/add >&3
      exec 3>&-
      wait $!
      """)
    #expect(result.code == 73, "\(result)")
    #expect(result.errors.contains("j: ") || result.errors.contains("/j"), "\(result)")
    #expect(result.errors.contains("deleted, moved or replaced"), "\(result)")
  }

  @Test func `the prompt's recording that was deleted isn't called recorded`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let result = try Program.shell(
      """
      cd \(folder.outside)
      mkfifo lines
      "$MOONWIRE" run app --data data --keep-going < lines > shown &
      exec 3> lines
      printf ':record r.jsonl\n:record\n' >&3
      until [ "$(wc -l < shown)" = 2 ]; do sleep 0.02; done
      rm r.jsonl
      printf 'counter/add\n:record\n:record stop\n' >&3
      exec 3>&-
      wait $!
      cat shown
      """)
    let lines = result.lines
    #expect(lines.prefix(2).allSatisfy { $0 == "being recorded in r.jsonl" }, "\(result)")
    #expect(lines.suffix(2).allSatisfy { $0.hasPrefix("nothing is being recorded") }, "\(result)")
    #expect(result.errors.contains("deleted, moved or replaced"), "\(result)")
  }

  @Test func `a replay tells why modules aren't there before it refuses`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let file = folder.path("../r")
    _ = try Program.run(["record", "--out", file, folder.root], input: "counter/add\n")
    try folder.save("counter.lua", ScriptFolder.counter + "oops")
    let refused = try Program.run(["replay", file, folder.root])
    #expect(refused.code == 65, "\(refused)")
    #expect(refused.errors.contains("module counter has a syntax error"), "\(refused)")
    #expect(refused.errors.contains("impossible"), "\(refused)")
  }

  @Test func `a journal with another state at its resume is verified and replayed`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let journal = folder.path("../j")
    _ = try run(folder, ["--journal", journal], "counter/add by=2\n")
    _ = try run(folder, ["--resume", journal, "--with", "action_blocker"], "counter/add\n")
    let verified = try Program.run(["journal", "verify", journal])
    #expect(verified.code == 0, "\(verified)")
    let replayed = try Program.run(
      ["replay", journal, folder.root, "--with", "action_blocker", "--accept-risky"])
    #expect(replayed.code == 0, "\(replayed)")
    #expect(replayed.output.contains("every state is as recorded"), "\(replayed)")
  }
}
