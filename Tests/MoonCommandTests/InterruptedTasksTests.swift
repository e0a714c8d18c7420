import MoonTestSupport
import Testing

/// Ctrl-C ends the tasks that a line has begun, at the prompt and while a script waits for them.
@Suite(.ownThread) struct InterruptedTasksTests {
  private static let files = [
    "m.lua": """
    local moon = require "moonwire"
    return {
      state = { n = 0 },
      actions = { go = {}, add = {} },
      reducers = { add = function(state) state.n = state.n + 1 end },
      effects = { go = function() print("begun") moon.sleep(1000) end },
    }
    """
  ]

  @Test(.enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
  func `on an empty line it cancels the tasks of the latest line that began any`() throws {
    let folder = try ScriptFolder(Self.files)
    defer { withExtendedLifetime(folder) {} }
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "\napp>")
    for count in 1...2 {
      try screen.enter("m/go")
      try screen.wait(for: "the effect to begin") { text in
        text.split(separator: "begun").count == count + 1 && text.hasSuffix("\napp>")
      }
    }
    try screen.enter(":tasks")
    try screen.wait(for: "two tasks") { text in
      text.contains("1  m/go") && text.contains("2  m/go") && text.hasSuffix("\napp>")
    }

    // On a line with text it only clears the line.
    try screen.type("rubbish")
    try screen.wait(forEnd: "\napp> rubbish")
    try screen.press("C-c")
    try screen.wait(forEnd: "rubbish^C\napp>")
    try screen.press("C-c")
    try screen.wait(for: "the second task's end") { text in
      text.contains("note: a task was cancelled")
        && text.contains("task 2, effect m/go of module m")
    }
    try screen.enter(":tasks")
    try screen.wait(for: "the first task only") { text in
      let shown = text.split(separator: ":tasks").last ?? ""
      return shown.contains("1  m/go") && !shown.contains("2  m/go") && text.hasSuffix("\napp>")
    }
  }

  @Test(.enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
  func `it cancels the command that a line calls`() throws {
    // The action is carried out as soon as the command waits.
    let folder = try ScriptFolder([
      "m.lua": """
      return {
        actions = { begun = {} },
        reducers = { begun = function() print "begun" end },
        commands = { slow = function(_, self)
          self.dispatch "begun"
          require "moonwire".sleep(1000)
        end },
      }
      """
    ])
    defer { withExtendedLifetime(folder) {} }
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "\napp>")
    try screen.enter(":call m/slow")
    try screen.wait(for: "the command to begin") { $0.contains("  begun") }
    try screen.press("C-c")
    try screen.wait(for: "its end") { text in
      text.contains("the command m/slow was cancelled") && text.hasSuffix("\napp>")
    }
  }

  @Test func `a script's call takes no longer than it waits`() throws {
    let folder = try ScriptFolder([
      "m.lua": "return { commands = { slow = function() require 'moonwire'.sleep(1000) end } }"
    ])
    let result = try Program.run(
      ["run", folder.root, "--wait", "10ms"], input: ":call m/slow\n")
    #expect(result.code == 65 && result.errors.contains("took too long"), "\(result)")
  }

  @Test func `in a script it cancels the tasks that are waited for, and the next line is read`()
    throws
  {
    let folder = try ScriptFolder(Self.files)
    defer { withExtendedLifetime(folder) {} }
    let result = try HostFaultTests().session(
      folder, "--wait 1000s",
      """
      say m/go; await 'begun'
      # A load comes after what ran when this was printed, so the signal finds the wait.
      echo 'return {}' >\(folder.root)/x.lua; await 'x 1: '
      kill -INT $pid; await 'task 1, effect m/go of module m'
      say m/add; await 'm.n  0 → 1'
      end
      """)
    #expect(result.lines.contains { $0.contains("note: a task was cancelled") })
    #expect(result.lines.last == "code 0")
  }
}
