import Foundation
import MoonTestSupport
import Testing

/// Every folder of examples is a test case: its session, piped in, prints the expected output.
@Suite(.ownThread) struct ExamplesTests {
  static let folder = Command.root.appending(path: "examples")

  static var names: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { !$0.contains(".") }.sorted()
  }

  /// The examples that are used from the prompt; the others are programs.
  static var driven: [String] {
    names.filter { name in
      FileManager.default.fileExists(atPath: folder.appending(path: "\(name)/session.txt").path)
    }
  }

  /// The examples that are programs in Swift.
  static let programs = [
    (folder: "embedding", program: "EmbeddingExample"),
    (folder: "todo-swift", program: "TodoExample"),
    (folder: "visper-swift", program: "VisperExample"),
  ]

  /// The examples that are packages of their own, which `scripts/bridges` builds.
  static let packages = ["server"]

  /// The examples whose sessions need no server.
  static var alone: [String] { driven.filter { !["orders", "users", "weather"].contains($0) } }

  /// The options of those whose sessions don't have all that their modules ask for.
  static let options = [
    "board": [],
    "files": ["--set", "files.watch=false", "--allow", "read:sample", "--allow", "write:sample"],
  ]

  @Test func `the examples are those that are known`() throws {
    #expect(
      Self.names == [
        "board", "caesura", "checkout", "contacts", "counter", "editor", "embedding", "files",
        "inbox", "lifecycle", "login", "market", "members", "middleware", "migrate", "notes",
        "orders", "routing_options", "server", "tabs", "timer",
        "todo", "todo-swift", "tutorial", "users", "visper", "visper-swift", "weather",
      ])
    let programs = Self.programs.map(\.folder) + Self.packages
    #expect(Self.driven == Self.names.filter { !programs.contains($0) })
  }

  @Test func `the list of examples has each, once`() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    for name in Self.names {
      #expect(text.components(separatedBy: "](\(name)/)").count == 2, "\(name)")
    }
  }

  @Test(arguments: alone)
  func `a session prints what is expected`(name: String) throws {
    let example = Self.folder.appending(path: name)
    let expected = try String(contentsOf: example.appending(path: "expected.txt"), encoding: .utf8)
    let typed = try String(contentsOf: example.appending(path: "session.txt"), encoding: .utf8)
    try withFolder(copying: example) { folder in
      let options = Self.options[name] ?? ["--allow-all"]
      let (output, code) = try Command.session(typed, in: folder, options)
      #expect(Command.untimed(output) == Command.untimed(expected))
      #expect(code == 0)
    }
  }

  @Test(arguments: names)
  func `an example has no problems`(name: String) throws {
    let example = Self.folder.appending(path: name)
    let scripts = example.appending(path: "scripts")
    let hasScripts = FileManager.default.fileExists(atPath: scripts.path)
    let isProgram = hasScripts && !Self.packages.contains(name)
    let (output, code) = try Command.run([
      "check", "--allow-all", (hasScripts ? scripts : example).path,
    ])
    // The module that the program adds is missing here.
    #expect(
      output.contains(isProgram ? /no problems, [12] warnings?\n$/ : /no problems(?:, 1 note)?\n$/),
      "\(output)")
    #expect(code == 0)
  }

  @Test func `the editor's bug report replays, and its test passes`() throws {
    let example = Self.folder.appending(path: "editor")
    let report = example.appending(path: "delete-last-line.jsonl").path
    let replayed = try Command.run(["replay", "--accept-risky", report, example.path])
    #expect(replayed.output.hasSuffix("actions replayed: every state is as recorded\n"))
    #expect(replayed.code == 0)
    let tested = try Command.run(["test", example.path])
    #expect(tested.output.hasSuffix("1 test passed\n"), "\(tested)")
    #expect(tested.code == 0)
  }

  @Test(arguments: [("board", 31), ("checkout", 5), ("files", 37), ("inbox", 21)])
  func `an example's tests pass`(name: String, count: Int) throws {
    let tested = try Command.run(["test", Self.folder.appending(path: name).path])
    #expect(tested.output.hasSuffix("\n\(count) tests passed\n"), "\(tested)")
    #expect(tested.code == 0)
  }

  @Test func `the editor's text and its steps survive kill -9`() throws {
    let example = Self.folder.appending(path: "editor")
    try withFolder(copying: example) { folder in
      let shown = try Command.shell(
        """
        mkfifo lines; moonwire run . --data data --journal text.journal < lines > shown &
        exec 3> lines
        echo 'editor/insert text="one"' >&3; echo 'editor/insert text="two"' >&3
        until [ "$(grep -c 'editor.at' shown)" = 2 ]; do sleep 0.02; done
        kill -9 $!; wait $! 2> /dev/null
        printf '= state("editor").lines\\neditor/undo\\n= state("editor").lines\\n' |
          moonwire run . --data data --resume last
        """, in: folder)
      #expect(shown.contains("[\"one\", \"two\"]") && shown.contains("[\"one\"]"), "\(shown)")
    }
  }

  @Test(arguments: programs)
  func `a program that embeds the host prints what is expected`(
    folder: String, program: String
  ) throws {
    let expected = try String(
      contentsOf: Self.folder.appending(path: "\(folder)/expected.txt"), encoding: .utf8)
    let (output, code) = try Command.run(program, [])
    #expect(output == expected)
    #expect(code == 0)
  }
}
