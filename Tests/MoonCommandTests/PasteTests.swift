import Foundation
import MoonTestSupport
import Testing

/// Pasting, suspending, and entering several lines at the prompt.
@Suite(
  .ownThread,
  .enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
struct PasteTests {
  private let folder: ScriptFolder

  init() throws {
    folder = try ScriptFolder(["todo.lua": ScriptFolder.todo])
  }

  private func screen(under shell: [String] = []) throws -> TerminalScreen {
    let screen = try TerminalScreen(on: folder, under: shell)
    try screen.wait(forEnd: "app>")
    return screen
  }

  @Test func `the lines of a paste are run one after the other, remarks among them`() throws {
    let screen = try screen()
    try screen.paste("# comment\ntodo/add title=x\n\n= 1 +\n\n  41\ntodo/add title=y")
    try screen.wait(forEnd: "todo/add title=y")
    try screen.press("Enter")
    try screen.wait(for: "both actions and the sum") { text in
      text.contains(#"todo.titles  {} → ["x"]"#) && text.contains("\n42\n")
        && text.contains(#"todo.titles[2]  + "y""#) && text.hasSuffix("\napp>")
    }
  }

  @Test func `what a failure keeps from being run is named`() throws {
    let screen = try screen()
    try screen.paste("todo/add title=x\nrubbish\ntodo/add title=y\ntodo/add title=z")
    try screen.press("Enter")
    try screen.wait(for: "the first action, the error and the rest") { text in
      text.contains(#"["x"]"#) && text.contains("'rubbish' isn't an action")
        && text.hasSuffix(
          "note: the last 2 lines of the paste weren't run, from: todo/add title=y\napp>")
    }
    #expect(try !screen.contents().contains(#"+ "y""#))
  }

  @Test func `a piece that a paste begins is ended by hand`() throws {
    let screen = try screen()
    try screen.paste("todo/add title=x\n= (function()")
    try screen.press("Enter")
    try screen.wait(forEnd: "\n…>")
    try screen.paste("return 41 + 1\nend)()\ntodo/add title=y")
    try screen.press("Enter")
    try screen.wait(for: "the result and the last action") { text in
      text.contains("\n42\n") && text.contains(#"+ "y""#) && text.hasSuffix("\napp>")
    }
  }

  @Test func `JSON of several lines is typed`() throws {
    let screen = try screen()
    for line in ["todo/add {", #""title":"#, #""x" }"#] {
      try screen.enter(line)
    }
    try screen.wait(forEnd: "→ [\"x\"]\napp>")
    try screen.enter("todo/add {")
    try screen.enter("1")
    try screen.wait(for: "the place of the fault") { text in
      text.contains("error: line 2, column 1: ") && text.hasSuffix("\napp>")
    }
  }

  /// A shell with job control, which reports the state of its job.
  @Test func `Ctrl-Z suspends, and the line is there again in the foreground`() throws {
    let screen = try screen(under: [
      "/bin/bash", "-mc", #""$@"; echo stopped $?; read -r; fg >/dev/null; echo over $?"#, "bash",
    ])
    try screen.type("todo/add ti")
    try screen.wait(forEnd: "app> todo/add ti")
    try screen.press("C-z")
    try screen.wait(forEnd: "\nstopped 148")
    try screen.press("Enter")
    try screen.wait(forEnd: "\napp> todo/add ti")
    try screen.enter("tle=x")
    try screen.wait(forEnd: "→ [\"x\"]\napp>")
    try screen.press("C-d")
    try screen.wait(forEnd: "\nover 0\ncode 0")
  }
}
