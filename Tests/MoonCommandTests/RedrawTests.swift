import Foundation
import MoonTestSupport
import Testing

/// The prompt when screens change, when much is to be shown, and in narrow terminals.
@Suite(
  .ownThread,
  .enabled(if: TerminalScreen.isAvailable, "tmux isn't installed: apt-get install tmux"))
struct RedrawTests {
  private static let app = [
    "a.lua": """
    local moon = require "moonwire"
    local label = require "label"
    return {
      state = { count = 0 },
      actions = { add = {} },
      reducers = { add = function(state) state.count = state.count + 1 end },
      routes = { ["/a"] = { kind = "a", screen = function() return { title = "A" } end } },
      views = {
        a = function(screen, state)
          return { "first", label(state.count), "last", moon.ui.slot("below") }
        end,
      },
      on_start = function(self) self.route("/a") end,
    }
    """,
    "b.lua": """
    return {
      state = { on = true },
      actions = { flip = {} },
      reducers = { flip = function(state) state.on = not state.on end },
      extends = {
        ["a/a#below"] = function(screen, data, state)
          if state.on then return { "b is on" } end
          error("b is off")
        end,
      },
    }
    """,
    "lib/label.lua": "return function(n) return 'count: ' .. n end",
  ]

  @Test func `the screen follows actions, other modules and saves`() throws {
    let folder = try ScriptFolder(Self.app)
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "A  a*  /a\n  first\n  count: 0\n  last\n\n  b is on\napp [A]>")
    try screen.enter("a/add")
    try screen.wait(
      forEnd: "app [A]> a/add\na.count  0 → 1\nA  a*  /a\n  …\n  count: 1\n  …\napp [A]>")
    try screen.enter("= dispatch('a/add')")
    try screen.wait(forEnd: "a.count  1 → 2\nA  a*  /a\n  …\n  count: 2\n  …\napp [A]>")

    // A save of a library, which the line of the reload names.
    try folder.save("lib/label.lua", "return function(n) return 'now: ' .. n end")
    try screen.wait(for: "the library's name and the new line") { text in
      text.contains("\na 1→2: lib/label.lua changed, state kept, ")
        && text.hasSuffix("\nA  a*  /a\n  …\n  now: 2\n  …\napp [A]>")
    }

    // An extension that fails is reported once.
    try screen.enter("b/flip")
    try screen.wait(
      forEnd: "\nA  a*  /a\n  …\n  (what module b adds here can't be shown)\napp [A]>")
    try screen.enter("a/add")
    try screen.wait(forEnd: "\n  …\n  now: 3\n  …\napp [A]>")
    let text = try screen.contents()
    #expect(
      text.components(separatedBy: "error: extension a/a#below of module b failed").count == 2)

    // An action that doesn't change the screen shows none of it.
    try screen.enter("= 1 + 1")
    try screen.wait(forEnd: "app [A]> = 1 + 1\n2\napp [A]>")
    try screen.press("C-d")
    try screen.wait(forEnd: "\ncode 0")
  }

  @Test func `the screen follows a flag that only another module's presenter looks at`() throws {
    var files = Self.app
    files["b.lua"] = """
      return {
        state = { on = false },
        actions = { flip = {} },
        reducers = { flip = function(state) state.on = not state.on end },
        presenters = { on = "a/*", run = function(screen, route, state)
          if state.on then screen.title = "Bright " .. screen.title end
        end },
      }
      """
    let folder = try ScriptFolder(files)
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "A  a*  /a\n  first\n  count: 0\n  last\napp [A]>")
    try screen.enter("b/flip")
    try screen.wait(
      forEnd: """
        app [A]> b/flip
        b.on  false → true
        navigation  a*
        Bright A  a*  /a
          …
        app [Bright A]>
        """)
    let run = try Program.run(["run", folder.root], input: "b/flip\nb/flip\n:screen\n")
    #expect(run.code == 0)
    #expect(
      run.output == """
        b.on  false → true
        navigation  a*
        Bright A  /a
          first
          count: 0
          last
        b.on  true → false
        navigation  a*
        A  /a
          first
          count: 0
          last
        A  a*  /a
          first
          count: 0
          last

        """)
  }

  @Test func `a view is called at most twice for a line that opens its screen`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      local calls = 0
      local function provider(title) return function() return { title = title } end end
      return {
        routes = {
          ["/a"] = { kind = "a", screen = provider("A") },
          ["/b"] = { kind = "a", screen = provider("B") },
        },
        views = { a = function() calls = calls + 1 return { "seen" } end },
        commands = { calls = function() return calls end },
      }
      """
    ])
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "app>")
    for title in ["A", "B", "A", "B"] {
      try screen.enter(":open /\(title.lowercased())")
      try screen.wait(forEnd: "\n  seen\napp [\(title)]>")
    }
    try screen.enter(":call m/calls")
    var calls: Int?
    try screen.wait(for: "the number of calls") { text in
      calls = text.split(separator: "\n").suffix(2).first.flatMap { Int($0) }
      return calls != nil && text.hasSuffix("\napp [B]>")
    }
    #expect(try #require(calls) <= 8)
  }

  @Test func `hundreds of files that change at once are summed up`() throws {
    var files = ["lib/label.lua": "return 1"]
    for number in 1...300 { files["m\(number).lua"] = "require 'label' return { state = {} }" }
    let folder = try ScriptFolder(files)
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "app>")
    try screen.press("C-l")
    for number in 1...300 {
      try folder.save("m\(number).lua", "require 'label' return { state = { n = 1 } }")
    }
    try screen.wait(for: "the summary") { text in
      text.contains("modules reloaded: state kept, ") && text.hasSuffix("s\napp>")
    }
    let lines = try screen.contents().split(separator: "\n")
    #expect(lines.count < 60, "\(lines)")
    try screen.press("C-l")
    try folder.save("lib/label.lua", "return 2")
    try screen.wait(for: "the library's name") {
      // Changes of before may come late, and are summed up with it.
      $0.contains(": lib/label.lua changed, state kept, ")
    }
  }

  @Test func `a long answer stops at the end of the terminal, and more follows`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      local t = {}
      for i = 1, 60 do t[i] = { number = i, text = ("x"):rep(90) } end
      return { state = { all = t } }
      """
    ])
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "app>")
    try screen.enter(":state m")
    try screen.wait(for: "the first part") { $0.hasSuffix(" lines more: :more\napp>") }
    try screen.enter(":more")
    try screen.wait(for: "the second part") {
      $0.contains("> :more\n") && $0.hasSuffix(" lines more: :more\napp>")
    }
    var parts: [String] = []
    while parts.count < 10, parts.last?.contains("there is no more") != true {
      try screen.press("C-l")
      try screen.wait(for: "an empty screen") { $0 == "app>" }
      try screen.enter(":more")
      try screen.wait(for: "the next part") {
        $0.contains(":more\n") && $0.hasSuffix("\napp>")
      }
      parts.append(try screen.contents())
    }
    #expect(parts.last?.hasSuffix("> :more\nthere is no more\napp>") == true)
    #expect(parts.contains { $0.contains("number = 60,") })
  }

  @Test func `a narrow terminal breaks lines between words`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return {
        actions = { go = {} },
        reducers = { go = function(state) state.n = table.isnert(state, 1, "a long line of code") end },
      }
      """
    ])
    let screen = try TerminalScreen(
      running: [Program.executable.path, "run", folder.root], columns: 40, rows: 50,
      environment: ["MOONWIRE_HISTORY": "", "NO_COLOR": "1", "EDITRC": "/dev/null"])
    try screen.wait(forEnd: "app>")
    try screen.press("C-l")
    try screen.enter("m/go")
    try screen.wait(
      forEnd: """
        error: reducer m/go of module m failed
          m.lua:3: attempt to call a nil value
            (field 'isnert')
            1 | return {
            2 |   actions = { go = {} },
          > 3 | …n = table.isnert(state, 1, "a …
            4 | }
          caused by    m/go #1 from the prompt
          help         there is no table.isnert:
            did you mean table.insert?
        app>
        """)
    try screen.enter(":history")
    try screen.wait(for: "the history on two lines each") { text in
      text.hasSuffix("\n    from the prompt  failed: reducer\n      m/go of module m failed\napp>")
    }
  }

  @Test func `names of Lua are completed as they are`() throws {
    let folder = try ScriptFolder(["m.lua": "return {}"])
    let screen = try TerminalScreen(on: folder)
    try screen.wait(forEnd: "app>")
    try screen.enter("= mine = { inner = { deep = 1 } }")
    try screen.wait(forEnd: "}\napp>")
    for (typed, completed) in [
      ("= mi", "= mine"), (".in", "= mine.inner"), (".d", "= mine.inner.deep"),
    ] {
      try screen.type(typed)
      try screen.press("Tab")
      try screen.wait(forEnd: "app> \(completed)")
    }
    try screen.press("Enter")
    try screen.wait(forEnd: "app> = mine.inner.deep\n1\napp>")
    try screen.type("= dispatch(moon.nav.pus")
    try screen.press("Tab")
    try screen.wait(forEnd: "app> = dispatch(moon.nav.push")
    try screen.press("C-c")
    try screen.wait(forEnd: "\napp>")
    try screen.type("nav/pop_to_r")
    try screen.press("Tab")
    try screen.wait(forEnd: "app> nav/pop_to_root")
  }

  @Test func `Ctrl-Backslash ends the program without a report of a crash`() throws {
    let folder = try ScriptFolder(["m.lua": "return { state = { n = 1 } }"])
    let screen = try TerminalScreen(
      on: folder, under: ["/bin/sh", "-c", "ulimit -c 0; exec \"$@\"", "sh"])
    try screen.wait(forEnd: "app>")
    try screen.press("C-\\")
    try screen.wait(for: "the end") { $0.hasSuffix("code 131") }
    let text = try screen.contents().lowercased()
    #expect(!text.contains("crash") && !text.contains("backtrace") && !text.contains("thread 0"))
  }
}
