import Foundation
import MoonTestSupport
import Testing

/// Starting with the state of an earlier run.
@Suite(.ownThread) struct RestoreOptionTests {
  private func file(_ folder: ScriptFolder, _ text: String? = nil) throws -> String {
    let url = URL(filePath: folder.outside).appending(path: "state.json")
    if let text { try Data(text.utf8).write(to: url) }
    return url.path
  }

  @Test func `a run goes on where another ended, in the same file`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let file = try file(folder)
    let first = try Program.run(["run", folder.root, "--state", file], input: "counter/add by=2\n")
    #expect(first.code == 0)
    for count in 2..<4 {
      let next = try Program.run(
        ["run", folder.root, "--restore", file, "--state", file], input: "counter/add\n")
      #expect(next.output == "counter.count  \(count) → \(count + 1)\n")
      #expect(next.code == 0)
    }
    #expect(
      try String(contentsOfFile: file, encoding: .utf8) == ScriptFolder.savedCounter(4) + "\n")
  }

  static let faulty: [(text: String, said: String)] = [
    ("{\"counter\":", "isn't JSON\n"), ("{\"counter\":", "/state.json:1: column 12: the JSON ends"),
    ("", "the JSON ends too early"), ("{}\n}", ":2: column 1: something follows the JSON"),
    ("[1]", "it must be a map with an entry for each module"),
    ("{\"a b\":{}}", "'a b' can't be a module's name"),
    ("{\"counter\":5}", "the entry of module counter must be a list or a map"),
    (
      "{\"navigation\":{\"windows\":5}}",
      "the entry 'navigation' is no navigation: windows: must be"
    ),
  ]

  @Test(arguments: faulty)
  func `a file without a state is code 65 and stays as it is`(text: String, said: String) throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let file = try file(folder, text)
    let result = try Program.run(
      ["run", folder.root, "--restore", file, "--state", file], input: "counter/add\n")
    #expect(result.code == 65)
    #expect(result.output == "")
    #expect(result.errors.contains(said), "\(result.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test func `no file is code 66, and none is made`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let file = try file(folder)
    let result = try Program.run(
      ["run", folder.root, "--restore", file, "--state", file], input: "counter/add\n")
    #expect(result.code == 66)
    #expect(
      result.errors == """
        error: the state can't be read from \(file)
          No such file or directory
          help         to start fresh: --restore-if-there \(file)

        """)
    #expect(!FileManager.default.fileExists(atPath: file))
    let directory = try Program.run(["run", folder.root, "--restore", folder.root])
    #expect(directory.code == 66)
    #expect(directory.errors.contains("Is a directory"))
  }
}

/// Versions of slices from run to run.
@Suite(.ownThread) struct RestoredVersionTests {
  private static func notes(_ version: Int, _ more: String = "") -> String {
    """
    return { version = \(version), state = { items = {} }, \(more)
      reducers = { add = function(s, p) table.insert(s.items, p.text) end } }
    """
  }

  private func run(
    _ folder: ScriptFolder, _ input: String, restoring option: String = "--restore-if-there"
  ) throws -> Program.Result {
    let file = folder.path("../state.json")
    return try Program.run(
      ["run", folder.root, option, file, "--state", file], input: input)
  }

  @Test func `the same line serves the first run and all others`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    for count in 0..<3 {
      let result = try run(folder, "counter/add\n")
      #expect(result.output == "counter.count  \(count) → \(count + 1)\n")
      #expect(result.errors == "" && result.code == 0)
    }
    let both = try Program.run(
      ["run", folder.root, "--restore", "x", "--restore-if-there", "y"])
    #expect(both.code == 64 && both.errors.contains("can't go together"))
    // Only a missing file counts as none; any other error is reported.
    let wrong = try Program.run(["run", folder.root, "--restore-if-there", folder.root])
    #expect(wrong.code == 66)
  }

  @Test func `an older slice is migrated, and one that can't be waits in the file`() throws {
    let folder = try ScriptFolder(["notes.lua": Self.notes(1)])
    _ = try run(folder, "notes/add text=milk\n")
    try folder.save("notes.lua", Self.notes(2))
    let refused = try run(folder, ":state notes\n:slices\n", restoring: "--restore")
    #expect(refused.output == "{items = {}}\nnotes 1  {items = [\"milk\"]}\n")
    #expect(
      refused.errors == """
        warning: the state of notes starts over: notes has version 2, and its saved state has \
        version 1
          meanwhile    the saved slice is put aside, and kept in the state file
          help         add a `migrate`, save, and :restore-slice notes 1

        """)
    try folder.save(
      "notes.lua",
      Self.notes(
        2, "migrate = function(old) old.items[1] = { text = old.items[1] } return old end,"))
    let late = try run(folder, ":restore-slice notes 1\n:state notes\n", restoring: "--restore")
    #expect(late.output.hasSuffix("{items = [{text = \"milk\"}]}\n"), "\(late)")
    // As after a return to the older branch.
    try folder.save("notes.lua", Self.notes(1))
    let back = try run(folder, ":state notes\n:drop-slice notes 1\n", restoring: "--restore")
    #expect(back.output == "{items = [\"milk\"]}\n")
    #expect(back.errors.contains("notes: state v1 is back"), "\(back.errors)")
    #expect(back.errors.contains("no slice of notes with version 1 is put aside: there are 2"))
  }

  @Test func `the slice of a module that is away stays in the file`() throws {
    let folder = try ScriptFolder(["notes.lua": Self.notes(1)])
    _ = try run(folder, "notes/add text=milk\n")
    try folder.remove("notes.lua")
    _ = try run(folder, "= 1\n", restoring: "--restore")
    try folder.save("notes.lua", Self.notes(1))
    let result = try run(folder, ":state notes\n", restoring: "--restore")
    #expect(result.output == "{items = [\"milk\"]}\n")
  }

  @Test(arguments: [
    (":restore-slice", "needs something after it"), (":drop-slice notes", "as in :drop-slice"),
    (":restore-slice 2x 1", "'2x' can't be a module's name"),
    (":restore-slice notes two", "'two' isn't a version"),
    (":restore-slice other 2", "module other isn't in service"),
    (":drop-slice notes 9", "no slice of notes with version 9 is put aside"),
  ])
  func `a slice that isn't there is named`(line: String, said: String) throws {
    let folder = try ScriptFolder(["notes.lua": Self.notes(1)])
    let result = try Program.run(["run", folder.root], input: line + "\n")
    #expect(result.code == 65 && result.errors.contains(said), "\(result.errors)")
  }

  @Test func `a file of a later moonwire is refused, and stays as it is`() throws {
    let folder = try ScriptFolder(["notes.lua": Self.notes(1)])
    let text = "{\"$moonwire\":{\"format\":9}}\n"
    try folder.save("../state.json", text)
    let result = try run(folder, "notes/add text=milk\n")
    #expect(result.code == 65)
    #expect(result.errors.contains("it has format 9, and this moonwire knows formats up to 2"))
    #expect(try String(contentsOfFile: folder.path("../state.json"), encoding: .utf8) == text)
  }
}
