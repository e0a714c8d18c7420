import MoonTestSupport
import Testing

/// A module that fails too often isn't called any more, until a person resumes it.
@Suite(.ownThread) struct SuspensionTextTests {
  private static let failing = """
    return require("moonwire").module { state = { n = 0 }, reducers = {
      go = function(state, payload)
        if payload ~= true then error("no") end
        state.n = state.n + 1
      end } }
    """

  private func run(_ lines: [String], _ options: [String] = []) throws -> Program.Result {
    let folder = try ScriptFolder([
      "bad.lua": Self.failing, "worse.lua": Self.failing, "counter.lua": ScriptFolder.counter,
    ])
    return try Program.run(
      ["run", folder.root, "--keep-going"] + options,
      input: lines.map { $0 + "\n" }.joined())
  }

  @Test func `a suspension is said with what to do, and ended by a command`() throws {
    let fails = Array(repeating: "bad/go", count: 20)
    let result = try run(fails + ["bad/go true", "counter/add", ":resume bad", "bad/go true"])
    #expect(result.lines == ["counter.count  0 → 1", "bad.n  0 → 1"])
    #expect(
      result.errors.contains(
        """
        error: module bad is suspended: 20 of its last 50 calls failed, the latest in its reducer bad/go
          help         mend its file and save it, or :resume bad

        """))
    #expect(
      result.errors.contains(
        """
        error: module bad is suspended: it failed too often, and takes no actions
          help         mend its file and save it, or :resume bad
          input        line 21: bad/go true

        """))
    #expect(result.errors.contains("bad: resumed, it is called again\n"))
  }

  @Test func `without a name all suspended modules are resumed`() throws {
    let fails = Array(repeating: "bad/go", count: 20) + Array(repeating: "worse/go", count: 20)
    let result = try run(fails + [":resume", "bad/go true", "worse/go true", ":resume"])
    #expect(result.lines == ["bad.n  0 → 1", "worse.n  0 → 1", "no module is suspended"])
    let programs = try run(fails + [":resume", ":resume"], ["--json"])
    #expect(
      programs.lines.suffix(2) == [
        #"{"kind":"resume","modules":["bad","worse"],"v":1}"#,
        #"{"kind":"resume","modules":[],"v":1}"#,
      ])
  }

  @Test(arguments: [
    ("bda", "error: there is no module bda\n  help         did you mean bad?"),
    (
      "bad",
      "error: module bad isn't suspended\n  help         :modules shows the status of each module"
    ),
    ("b/d", "error: column 9: 'b/d' can't be a module's name"),
  ])
  func `what can't be resumed is named`(name: String, said: String) throws {
    let result = try run([":resume \(name)"])
    #expect(result.errors.hasPrefix(said), "\(result.errors)")
    #expect(result.code == 65)
  }
}
