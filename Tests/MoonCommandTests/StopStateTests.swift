import Foundation
import MoonTestSupport
import Testing

/// The state written at the end includes the changes made while modules stop.
@Suite(.ownThread) struct StopStateTests {
  /// A module that dispatches when it stops, and counts the modules that have stopped.
  private static let module = """
    return {
      state = { n = 0, saved = false, stopped = {} },
      reducers = {
        add = function(s) s.n = s.n + 1 end,
        save = function(s) s.saved = true end,
        ["host/stopped"] = function(s, p) s.stopped[#s.stopped + 1] = p.module end,
      },
      on_stop = function(self) self.dispatch("save") end,
    }
    """
  private static let stopped =
    ScriptFolder.saved(
      "m", "{\"n\":1,\"saved\":true,\"stopped\":[\"m\"]}",
      shape: "{\"n\":true,\"saved\":true,\"stopped\":{}}") + "\n"

  @Test(arguments: [
    ([], "m/add\n"), ([], "m/add\n:quit\nm/add\n"), (["--dispatch", "m/add"], ""),
  ])
  func `what modules do when they stop is in it`(options: [String], input: String) throws {
    let folder = try ScriptFolder(["m.lua": Self.module])
    let file = URL(filePath: folder.outside).appending(path: "out.json")
    let result = try Program.run(
      ["run", folder.root, "--state", file.path] + options, input: input)
    #expect(result.code == 0, "\(result.errors)")
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.stopped)
  }

  @Test func `so it is if a signal ends the run`() throws {
    let folder = try ScriptFolder(["m.lua": Self.module])
    let file = URL(filePath: folder.outside).appending(path: "out.json")
    let result = try HostFaultTests().session(
      folder, "--state \(file.path)",
      """
      say m/add; await 'm.n  0 → 1'
      kill -TERM $pid; cat <&$output; wait $pid; echo "code $?"
      """)
    #expect(result.lines.last == "code 143")
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.stopped)
  }

  @Test func `a module that never stops costs what stopping would have changed`() throws {
    let folder = try ScriptFolder([
      "a.lua": "return { on_stop = function() while true do end end }", "m.lua": Self.module,
    ])
    let file = URL(filePath: folder.outside).appending(path: "out.json")
    let result = try HostFaultTests().session(
      folder, "--limit hook=off --state \(file.path)",
      """
      say m/add; await 'm.n  0 → 1'
      kill -TERM $pid; cat <&$output; wait $pid; echo "code $?"
      """)
    #expect(result.lines.last == "code 143")
    #expect(
      result.lines.contains {
        $0.hasSuffix("modules take too long to stop: the state before they did is written")
      }, "\(result.lines)")
    let written = try String(contentsOf: file, encoding: .utf8)
    #expect(written.contains("\"saved\":false") && written.contains("\"n\":1"), "\(written)")
  }

  @Test func `a hook that fails costs its own part`() throws {
    let folder = try ScriptFolder([
      "a.lua": "return { on_stop = function() error('no') end }", "m.lua": Self.module,
    ])
    let result = try Program.run(["run", folder.root, "--state", "-"], input: "m/add\n")
    #expect(result.output.contains("\"stopped\":[\"a\",\"m\"]"), "\(result.output)")
    #expect(result.output.contains("\"saved\":true"))
  }
}
