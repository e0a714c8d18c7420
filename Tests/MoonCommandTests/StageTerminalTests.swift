import Foundation
import MoonTestSupport
import Testing

/// The stage at a terminal, as a person sees it.
@Suite(
  .ownThread,
  .enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
struct StageTerminalTests {
  private static let page = """
    return { state = { n = 0 }, reducers = { add = function(s, p) s.n = s.n + #p.name end },
      on_start = function(self) self.route("/x") end,
      routes = { ["/x"] = function() return { kind = "x", title = "Page" } end },
      views = { x = function(screen, state)
        return { "n is " .. state.n, { type = "Input.Text", id = "name" },
          { type = "Action.Submit", title = "Add", verb = "add" } }
      end } }
    """

  private func screen(_ folder: ScriptFolder, _ shell: [String] = []) throws -> TerminalScreen {
    try TerminalScreen(
      running: shell + [Program.executable.path, "stage", folder.root], columns: 60, rows: 12,
      environment: ["NO_COLOR": "1"])
  }

  @Test func `an app is used by keys, while its files are saved, and gives the terminal back`()
    throws
  {
    let folder = try ScriptFolder(["page.lua": Self.page])
    let screen = try screen(folder)
    try screen.wait(for: "the app") { $0.contains("n is 0") && $0.contains("[ Add ]") }
    try screen.press("Enter")
    try screen.type("four")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "the tap") { $0.contains("n is 4") }
    try folder.save("page.lua", Self.page + "oops")
    try screen.wait(for: "the box") { $0.contains("─ Error") && $0.contains("page.lua:7") }
    try folder.save("page.lua", Self.page.replacing("n is", with: "now"))
    try screen.wait(for: "the reload") { $0.contains("now 4") && !$0.contains("Error") }
    try screen.press("C-l", ":")
    try screen.type("= 1 + 1")
    try screen.press("Enter")
    try screen.wait(for: "the answer") { $0.contains("> = 1 + 1\n 2") }
    try screen.press("Escape")
    try screen.wait(for: "the end of the prompt") { !$0.contains("> = 1") }
    try screen.press("q")
    try screen.wait(forEnd: "code 0")
    #expect(try !screen.contents().contains("now 4"))
  }

  @Test func `the terminal is given back when the program is killed`() throws {
    let folder = try ScriptFolder(["page.lua": Self.page])
    defer { withExtendedLifetime(folder) {} }
    let screen = try screen(folder)
    try screen.wait(for: "the app") { $0.contains("n is 0") }
    try screen.signal("TERM")
    try screen.wait(for: "the shell") { $0.contains("code 143") && !$0.contains("n is 0") }
  }

  @Test func `images are sent to a terminal that has them, and taken away at the end`() throws {
    let page = """
      local moon = require "moonwire"
      local dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
      return { on_start = function(self) self.route("/x") end,
        routes = { ["/x"] = function() return { kind = "x", title = "Page" } end },
        views = { x = function()
          return { "above", moon.ui.image("data:image/png;base64," .. dot, { altText = "dot" }) }
        end } }
      """
    let folder = try ScriptFolder(["page.lua": page])
    // All that is written to the terminal, to a file, too.
    let written = folder.root + "/written"
    let screen = try TerminalScreen(
      running: [
        "script", "-qec", "'\(Program.executable.path)' stage --images '\(folder.root)'", written,
      ], columns: 60, rows: 12, environment: [:])
    try screen.wait(for: "the app") { $0.contains("above") && !$0.contains("dot") }
    try screen.press("q")
    try screen.wait(forEnd: "code 0")
    let bytes = try String(contentsOfFile: written, encoding: .utf8)
    let drawing = "\u{1B}_Gq=2,a=p,i=1,p=1,c=1,r=1,y=0,h=1,C=1\u{1B}\\"
    let drawn = try #require(bytes.ranges(of: drawing).last, "\(bytes)")
    let end = try #require(bytes.ranges(of: "\u{1B}_Gq=2,a=d,d=A\u{1B}\\").last, "\(bytes)")
    #expect(drawn.upperBound <= end.lowerBound)
  }

  @Test func `a terminal that can't move its cursor is refused with advice`() throws {
    let screen = try screen(ScriptFolder(["page.lua": Self.page]), ["env", "TERM=dumb"])
    try screen.wait(for: "the refusal") {
      $0.contains("type dumb can't move its cursor") && $0.contains("TERM=xterm-256color")
        && $0.hasSuffix("code 64")
    }
  }
}
