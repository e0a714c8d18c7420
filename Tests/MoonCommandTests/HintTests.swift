import MoonTestSupport
import Testing

/// The advice on mistakes, in the exact words of the command.
@Suite(.ownThread) struct HintTests {
  /// Bodies of reducers, and the advice on their errors.
  static let reducers: [(body: String, help: String)] = [
    ("table.isnert(state.items, 1)", "there is no table.isnert: did you mean table.insert?"),
    ("state.n = string.fromat('%d', 1)", "there is no string.fromat: did you mean string.format?"),
    ("state.n = moon.rot(1)", "there is no moon.rot: did you mean moon.root?"),
    ("ui.fatcs {}", "there is no moon.ui.fatcs: did you mean moon.ui.facts?"),
    ("moon.nav.puhs('/x')", "there is no moon.nav.puhs: did you mean moon.nav.push?"),
    ("table.zzzzzzzz()", "there is no table.zzzzzzzz"),
    ("state.n = ('x'):uper()", "there is no 'uper': did you mean upper?"),
    ("state.n = ('x'):zzzzzzzz()", "there is no 'zzzzzzzz': is it a field, called with a dot?"),
    ("state.items.push(1)", "there is no function 'push' in that table"),
    ("prnt('x')", "there is no function 'prnt': did you mean print?"),
    ("zzzzzzzz()", "there is no function 'zzzzzzzz': is it a local of another file?"),
    (
      "local color = 1; state.n = colr + 1",
      "nothing was ever assigned to 'colr': did you mean color?"
    ),
    ("state.n = zzzzzzzz + 1", "nothing was ever assigned to 'zzzzzzzz'"),
    (
      "io.open('x')",
      "io.open isn't in the sandbox: moon.files reads and writes what a person grants; other data belongs "
        + "into the state"
    ),
    (
      "os.execute('x')",
      "os.execute isn't in the sandbox: os has clock, date, difftime and time"
    ),
    ("debug.getinfo(1)", "debug.getinfo isn't in the sandbox"),
    ("state.n = unpack({})", "unpack isn't in the sandbox: it is called table.unpack"),
    (
      "state.n = os.time()",
      "the action's time is action.meta.time: function(state, payload, action)"
    ),
    (
      "state.n = payload.by + 1",
      "'by' isn't there: is it in the module's `state`, or optional in the payload?"
    ),
    (
      "local function f(n) return 1 + f(n) end f(1)", "does f ever stop calling itself?"
    ),
    ("local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end", grows),
  ]
  static let grows =
    "does it build something that grows without end? --limit memory=… allows it more"

  @Test(arguments: reducers)
  func `an error in a reducer says what to do`(body: String, help: String) throws {
    let folder = try ScriptFolder([
      "m.lua": """
      local moon = require "moonwire"
      local ui = moon.ui
      return { state = { items = moon.list() }, reducers = {
        go = function(state, payload)
          \(body)
        end } }
      """
    ])
    // On a busy machine, code that takes too much memory mustn't take too long before.
    let result = try Program.run(
      ["run", folder.root, "--limit", "reducer=60s"], input: "m/go {}\n")
    #expect(result.code == 65)
    #expect(result.errors.contains("\n  help         \(help)\n"), "\(result.errors)")
  }

  @Test func `functions that call themselves aren't said to use memory`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return { reducers = { go = function()
        local function f() f() f() end
        f()
      end } }
      """
    ])
    let result = try Program.run(
      ["run", folder.root, "--limit", "reducer=60s"], input: "m/go\n")
    #expect(
      result.errors.contains(
        "error: reducer m/go of module m called itself without end, and used more than 64 MB"),
      "\(result.errors)")
    #expect(result.errors.contains("help         does f ever stop calling itself?"))
  }

  /// Lines of the prompt, and a part of the output for each.
  static let lines: [(line: String, said: String)] = [
    ("= table.isnert(1)", "help         there is no table.isnert: did you mean table.insert?"),
    ("= io.open('x')", "help         io.open isn't in the sandbox: moon.files reads and writes"),
    ("= 1 +* 2", "error: what was typed has a syntax error\n  prompt:1: unexpected symbol near"),
    ("chat/send text=5", #"help         a text is quoted: text="5""#),
    ("chat/send text=true", #"help         a text is quoted: text="true""#),
    ("send text=a", "help         did you mean chat/send?"),
    ("sned text=a", "help         did you mean chat/send?"),
    (
      "zzzzzzzz",
      "help         write a module's name, a slash and the action, as in counter/add by=2; :help"
    ),
    (
      ":open /home/x",
      """
      error: /home/x wasn't routed
        no pattern takes it: in /home/:id<int>, :id takes an integer, not 'x'
      """
    ),
    (
      ":open /login",
      "help         put tabs in stacks: moon.nav.tabs { moon.nav.stack { … }, … }; or use"
    ),
  ]

  @Test(arguments: lines)
  func `a line that fails says what to write`(line: String, said: String) throws {
    let folder = try ScriptFolder([
      "chat.lua": """
      local moon = require "moonwire"
      return {
        actions = { send = { text = "string" } },
        routes = {
          ["/home/:id<int>"] = function() return { title = "Home" } end,
          ["/login"] = { option = moon.root(), screen = function() return {} end },
        },
        on_start = function(self)
          self.dispatch(moon.nav.set(moon.nav.tabs { "/home/1", "/home/2" }))
        end,
      }
      """
    ])
    let result = try Program.run(["run", folder.root], input: line + "\n")
    #expect(result.code == 65)
    #expect(result.errors.contains(said), "\(result.errors)")
  }

  /// Files next to a valid module, and a part of the output for each.
  static let files: [(text: String, said: String)] = [
    ("return {,}", "error: module m has a syntax error\n  m.lua:1: unexpected symbol near ','"),
    (
      "require 'a'",
      "error: module m can't be loaded\n  lib/b.lua:1: require: 'a' requires itself: a → b → a\n"
    ),
    (
      "pcall(require, 'bad') require 'bad'",
      "require: 'bad' has failed to load before, or is loading\n"
    ),
    (
      "return { map_navigation = '/home' }",
      """
      error: map_navigation of module m is a string, and must be a function, or a table of \
      functions by action
        m.lua:1
        help         write a function that returns the URL: function(action) return "/home" end
      """
    ),
    (
      "return { map_navigation = { ['m/x'] = '/home' } }",
      """
      error: map_navigation["m/x"] of module m is a string, and must be a function
        m.lua:1
        help         write a function that returns the URL: function(action) return "/home" end
      """
    ),
  ]

  @Test(arguments: files)
  func `a file that can't be loaded says why`(text: String, said: String) throws {
    let folder = try ScriptFolder([
      "lib/a.lua": "return require 'b'", "lib/b.lua": "return require 'a'",
      "lib/bad.lua": "error('no')", "m.lua": text,
    ])
    let result = try Program.run(["run", folder.root])
    #expect(result.errors.contains(said), "\(result.errors)")
  }

  @Test func `a view's mistakes name their lines and what may be meant`() throws {
    let folder = try ScriptFolder(["m.lua": Self.views])
    let result = try Program.run(["run", folder.root], input: ":open /w\n")
    #expect(
      result.lines.suffix(3) == [
        "  [1] Five  [2] Nope  [3] Away",
        #"  (m.lua:9: body[1]: unknown element "TextBlok"; did you mean TextBlock?)"#,
        "  (m.lua:10: body[2].colr: unknown field; did you mean color?)",
      ], "\(result.output)")
  }

  static let buttons: [(title: String, said: String)] = [
    (
      "Five",
      """
      error: the payload doesn't fit m/go
        problem      'text' must be string, not an integer
        takes        text (string)
        tapped       [1] Five (m.lua:12)
      """
    ),
    (
      "Nope",
      """
      error: no module knows the action m/goo
        help         did you mean m/go?
        tapped       [2] Nope (m.lua:13)
      """
    ),
    (
      "Away",
      """
      error: /away wasn't routed
        no pattern takes it
        help         :routes lists the patterns
        tapped       [3] Away (m.lua:14)
      """
    ),
  ]

  @Test(arguments: buttons)
  func `a button that fails is named with its line`(title: String, said: String) throws {
    let folder = try ScriptFolder(["m.lua": Self.views])
    let result = try Program.run(["run", folder.root], input: ":open /w\n:tap \(title)\n")
    #expect(result.code == 65)
    #expect(result.errors.contains(said), "\(result.errors)")
  }

  private static let views = """
    local moon = require "moonwire"
    local ui = moon.ui
    return {
      actions = { go = { text = "string" } },
      routes = { ["/w"] = { kind = "w", screen = function() return {} end } },
      views = {
        w = function()
          return {
            { type = "TextBlok" },
            ui.text("hi", { colr = "good" }),
            ui.actions {
              ui.button("Five", "go", { text = 5 }),
              ui.button("Nope", "m/goo"),
              ui.open("Away", "/away"),
            },
          }
        end,
      },
    }
    """

  @Test func `a long line is cut around the fault`() throws {
    let many = (1...40).map { "a\($0) = \($0)" }.joined(separator: ", ")
    let folder = try ScriptFolder([
      "m.lua":
        "return { reducers = { go = function(state) state.t = { \(many), table.isnert(1) } end } }"
    ])
    let result = try Program.run(["run", folder.root], input: "m/go\n")
    let line = result.errors.split(separator: "\n").first { $0.hasPrefix("  > 1 | ") } ?? ""
    #expect(line.hasPrefix("  > 1 | …") && line.contains("table.isnert(1)"), "\(result.errors)")
    #expect(line.count <= 110)
  }
}
