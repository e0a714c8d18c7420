import Foundation
import MoonTestSupport
import Testing

/// Going back in time at a terminal, as a person does.
@Suite(
  .ownThread,
  .enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
struct TimeTravelTests {
  private static let app = [
    "a.lua": """
    return {
      state = { count = 0 }, actions = { add = {} },
      reducers = { add = function(state) state.count = state.count + 1 end },
      routes = { ["/a"] = { kind = "a", screen = function() return { title = "A" } end },
        ["/b"] = { kind = "a", screen = function() return { title = "B" } end } },
      views = { a = function(screen, state) return { "count: " .. state.count } end },
      on_start = function(self) self.route("/a") end,
    }
    """
  ]

  @Test func `the screens go back, and an action asks before it cuts the timeline`() throws {
    let folder = try ScriptFolder(Self.app)
    defer { withExtendedLifetime(folder) {} }
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "count: 0\napp [A]>")
    try screen.enter("a/add")
    try screen.wait(forEnd: "count: 1\napp [A]>")
    try screen.enter(":open /b")
    try screen.wait(forEnd: "count: 1\napp [B]>")
    try screen.enter("a/add")
    try screen.wait(forEnd: "count: 2\napp [B]>")

    try screen.enter(":back 3")
    try screen.wait(forEnd: "count: 0\napp [A] (paused at 1/4)>")
    try screen.enter(":forward")
    try screen.wait(forEnd: "count: 1\napp [A] (paused at 2/4)>")
    try screen.enter("a/add")
    try screen.wait(
      forEnd: "paused at 2/4: forget 2 later steps and go on from here? [y/N]")
    try screen.enter("n")
    try screen.wait(for: "the refusal") { text in
      text.contains("error: the session is paused at 2/4")
        && text.hasSuffix("app [A] (paused at 2/4)>")
    }
    try screen.enter(":goto present")
    try screen.wait(forEnd: "count: 2\napp [B]>")
    try screen.enter(":back 2")
    try screen.wait(forEnd: "app [A] (paused at 2/4)>")
    try screen.enter("a/add")
    try screen.wait(forEnd: "go on from here? [y/N]")
    try screen.enter("y")
    try screen.wait(forEnd: "count: 2\napp [A]>")
    try screen.enter(":undo")
    try screen.wait(for: "the note") { text in
      text.contains("took back #") && text.hasSuffix("count: 1\napp [A]>")
    }
  }
}

/// Going back in time in a script.
@Suite(.ownThread) struct TimeTravelScriptTests {
  @Test func `a script is refused until it cuts the timeline`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let lines = """
      counter/add by=1
      counter/add by=10
      :back 1
      counter/add by=100
      :timeline cut
      counter/add by=1000
      """
    let run = try Program.run(
      ["run", folder.root, "--keep-going", "--json"], input: lines)
    #expect(run.lines.count == 6)
    #expect(run.lines[2].contains(#""count":2"#) && run.lines[2].contains(#""paused":true"#))
    #expect(run.lines[2].contains(#""position":1"#) && run.lines[2].contains(#""kind":"back""#))
    #expect(run.lines[3].contains("paused at 1\\/2") || run.lines[3].contains("paused at 1/2"))
    #expect(run.lines[4].contains(#""paused":false"#) && run.lines[4].contains("timeline"))
    #expect(run.lines[5].contains(#""after":1001"#))
    #expect(run.errors.contains(":timeline cut"))
  }
}
