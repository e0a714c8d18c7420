import Foundation
import MoonTestSupport
import Testing

/// Beginning with the state of an earlier run.
struct RestoreOptionTests {
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
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{\"counter\":{\"count\":4}}\n")
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

        """)
    #expect(!FileManager.default.fileExists(atPath: file))
    let directory = try Program.run(["run", folder.root, "--restore", folder.root])
    #expect(directory.code == 66)
    #expect(directory.errors.contains("Is a directory"))
  }
}
