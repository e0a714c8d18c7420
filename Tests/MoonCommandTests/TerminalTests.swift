import Foundation
import MoonTestSupport
import Testing

/// The program at a terminal, as a person sees it.
@Suite(
  .ownThread,
  .enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
struct TerminalTests {
  static let example = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "examples/counter")

  @Test func `a session from the first word to the last`() throws {
    let file = Self.example.appending(path: "counter.lua")
    let source = try String(contentsOf: file, encoding: .utf8)
    let folder = try ScriptFolder(["counter.lua": source])
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "app>")

    // Typing and completing.
    try screen.type("coun")
    try screen.press("Tab")
    try screen.wait(forEnd: "app> counter/")
    try screen.type("a")
    try screen.press("Tab")
    try screen.wait(forEnd: "app> counter/add")
    try screen.press("Tab")
    try screen.wait(forEnd: "app> counter/add by=")
    try screen.enter("2")
    try screen.wait(forEnd: "counter.count  0 → 2\napp>")

    // A save in place, while a line is being typed.
    try screen.type("counter/ad")
    try screen.wait(forEnd: "app> counter/ad")
    try folder.save("counter.lua", source.replacing("(payload.by or 1)", with: "10"))
    try screen.wait(for: "the reload line above the half-typed line") { text in
      text.contains("counter 1→2: state kept, ") && text.hasSuffix("s\napp> counter/ad")
    }
    try screen.enter("d")
    try screen.wait(forEnd: "counter.count  2 → 12\napp>")

    // A save by renaming, and one with an error.
    try folder.saveAsEmacs("counter.lua", source.replacing("(payload.by or 1)", with: "100"))
    try screen.wait(for: "the reload after a renaming") { $0.contains("counter 2→3: state kept, ") }
    try folder.saveAsEmacs("counter.lua", source + "oops\n")
    try screen.wait(for: "the error with its line") { text in
      text.contains("error: module counter has a syntax error") && text.contains("> 22 | oops")
        && text.contains("generation 3 of counter stays in service")
    }
    try screen.enter("counter/add")
    try screen.wait(forEnd: "counter.count  12 → 112\napp!>")

    // Stopping running code, and continuing.
    try screen.enter("= print('loop') while true do end")
    try screen.wait(for: "the loop to run") { $0.contains("\nloop") }
    try screen.press("C-c")
    try screen.wait(for: "the loop to stop") { text in
      text.contains("note: what was typed was stopped") && text.hasSuffix("\napp!>")
    }
    try folder.saveAsEmacs("counter.lua", source)
    try screen.wait(for: "the good save") { $0.contains("counter 3→4: state kept, ") }
    try screen.enter("counter/add by=-12")
    try screen.wait(forEnd: "counter.count  112 → 100\napp>")

    // Ctrl-C at the prompt clears the line, and Ctrl-D quits.
    try screen.type("rubbish")
    try screen.wait(forEnd: "\napp> rubbish")
    try screen.press("C-c")
    try screen.wait(forEnd: "rubbish^C\napp>")

    // Right after Enter, it gives up the line before it runs.
    try screen.type("counter/add")
    try screen.press("Enter", "C-c")
    try screen.wait(forEnd: "app> counter/add\n^C\napp>")
    try screen.press("C-d")
    try screen.wait(forEnd: "\ncode 0")
  }

  @Test func `Lua of several lines is typed, abandoned and remembered`() throws {
    let folder = try ScriptFolder()
    let history = folder.path("../history")
    let screen = try TerminalScreen(on: folder, history: history)
    try screen.wait(forEnd: "app>")
    try screen.enter("= for i = 1, 2 do")
    try screen.wait(forEnd: "\n…>")
    try screen.enter("print(i) end")
    try screen.wait(forEnd: "\n1\n2\napp>")
    try screen.enter("= f(")
    try screen.wait(forEnd: "\n…>")
    try screen.press("C-c")
    try screen.wait(forEnd: "\napp>")
    try screen.enter(":quit")
    try screen.wait(forEnd: "\ncode 0")
    let kept = try String(contentsOfFile: history, encoding: .utf8)
    #expect(kept == "= for i = 1, 2 do\\nprint(i) end\n= f(\n:quit\n")
  }

  @Test func `an empty directory waits, goes and comes back`() throws {
    let folder = try ScriptFolder()
    let screen = try TerminalScreen(on: folder)
    try screen.wait(for: "the greeting") { $0.contains("has no modules yet") }
    try folder.save("counter.lua", ScriptFolder.counter)
    try screen.wait(for: "the new module") { $0.contains("counter 1: started, 2 actions") }
    try FileManager.default.removeItem(atPath: folder.root)
    try screen.wait(for: "the loss") { $0.contains("warning: there is no directory") }
    try screen.enter("counter/add")
    try screen.wait(for: "the module to run on") { $0.contains("counter.count  0 → 1") }
    try FileManager.default.createDirectory(atPath: folder.root, withIntermediateDirectories: true)
    try folder.save("counter.lua", ScriptFolder.counter)
    try screen.wait(for: "the return") { $0.contains("the script directory is there again") }
  }

  @Test func `a history that can't be written is told once, and the prompt goes on`() throws {
    let folder = try ScriptFolder(["counter.lua": ScriptFolder.counter])
    let screen = try TerminalScreen(on: folder, history: "/dev/full")
    try screen.wait(forEnd: "app>")
    for count in 1...2 {
      try screen.enter("counter/add")
      try screen.wait(for: "the change") { $0.contains("counter.count  \(count - 1) → \(count)") }
      // What is typed before the prompt is there would be shown in front of the warning.
      try screen.wait(forEnd: "app>")
    }
    let told = try screen.contents().split(separator: "\n").filter { $0.hasPrefix("warning") }
    #expect(told == ["warning: the history of the prompt can't be written"])
    #expect(try screen.contents().contains("/dev/full: No space left on device"))
  }

  @Test func `screens are opened, used, lost and found`() throws {
    let folder = try ScriptFolder(["shop.lua": ScreenPromptTests.shop])
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "app>")
    try screen.type(":open /l")
    try screen.press("Tab")
    try screen.press("Enter")
    try screen.wait(forEnd: "[4] Again  [5] Again\napp [Things]>")
    try screen.type(":tap F")
    try screen.press("Tab")
    try screen.wait(forEnd: ":tap First")
    try screen.press("Enter")
    try screen.wait(forEnd: "Thing 1  /detail/1\n  from nowhere\napp [Thing 1]>")
    try screen.enter(":open /form")
    try screen.wait(forEnd: "app [New thing]>")
    try screen.type(":input na")
    try screen.press("Tab")
    try screen.enter("Max")
    try screen.wait(for: "the text in the input") { text in
      text.contains("{name = \"Max\"}\n")
        && text.hasSuffix("  Name*         [Max]\n  …\napp [New thing]>")
    }
    try screen.enter(":tap Save")
    try screen.wait(for: "what was handed over") { text in
      text.contains("shop.saved  + {name = \"Max\"}") && text.hasSuffix("app [New thing]>")
    }
    for title in ["Thing 1", "Things"] {
      try screen.enter(":back")
      try screen.wait(forEnd: "\napp [\(title)]>")
    }

    // The prompt changes while a line is being typed.
    try screen.type(":scr")
    try folder.saveAsEmacs(
      "shop.lua", ScreenPromptTests.shop.replacing("/list\"] =", with: "/l\"] ="))
    try screen.wait(forEnd: "\napp [Things?]> :scr")
    try screen.enter("een")
    try screen.wait(for: "what is gone") { text in
      text.contains("the route of module shop for /list is gone: the screen comes back with it")
        && text.hasSuffix("\napp [Things?]>")
    }
    try folder.saveAsEmacs("shop.lua", ScreenPromptTests.shop + "oops")
    try screen.wait(forEnd: "\napp [Things?]!>")
    try folder.saveAsEmacs("shop.lua", ScreenPromptTests.shop)
    try screen.wait(forEnd: "\napp [Things]>")
  }

  @Test func `a route that gets in another's way is told when it comes`() throws {
    let folder = try ScriptFolder(["b.lua": "return { routes = { ['/x/:id'] = print } }"])
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "app>")
    try folder.save("a.lua", "return { routes = { ['/x/:name'] = print } }")
    try screen.wait(for: "the warning") { text in
      text.contains("warning: /x/:id of module b (b.lua:1) is never reached: /x/:name of module a")
    }
  }

  @Test func `a signal gives the terminal back`() throws {
    let folder = try ScriptFolder()
    let screen = try TerminalScreen(
      running: [
        "/bin/sh", "-c",
        "stty -a >before; $MOONWIRE run .; echo code $?; stty -a | cmp before - && echo same",
      ],
      environment: ["MOONWIRE": Program.executable.path, "MOONWIRE_HISTORY": ""],
      directory: folder.root)
    try screen.wait(forEnd: "app>")
    try screen.signal("TERM")
    try screen.wait(for: "the code and the modes") { text in
      text.contains("code 143") && text.contains("same")
    }
  }

  @Test(arguments: ["", "trap '' HUP;"], ["= while true do end", "m/spin", ""])
  func `a terminal that goes away ends whatever runs, and the state is kept`(
    before: String, line: String
  ) throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return { state = { n = 0 }, reducers = {
        add = function(s) s.n = s.n + 1 end, spin = function() while true do end end } }
      """
    ])
    let state = folder.outside + "/state.json"
    let screen = try TerminalScreen(
      running: [
        "/bin/sh", "-c",
        "\(before) $MOONWIRE run . --limit reducer=off --state \(state); echo ended",
      ],
      environment: ["MOONWIRE": Program.executable.path, "MOONWIRE_HISTORY": ""],
      directory: folder.root)
    try screen.wait(forEnd: "app>")
    try screen.enter("m/add")
    try screen.wait(for: "the change") { $0.contains("m.n  0 → 1") }
    try screen.enter(line)
    try screen.wait(for: "the line") { $0.contains("app> \(line)") }
    #expect(try screen.vanish())
    let text = try String(contentsOfFile: state, encoding: .utf8)
    #expect(text.contains("\"m\":{\"n\":1}"), "\(text)")
  }
}
