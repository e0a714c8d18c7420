import Foundation
import MoonTestSupport
import Testing

/// What the authors of a first app stumble over, seen from a piped script.
@Suite(.ownThread) struct FirstAppTests {
  private func run(
    _ files: [String: String], _ input: String, _ options: String...
  ) throws -> Program.Result {
    let folder = try ScriptFolder(files)
    return try Program.run(["run", folder.root, "--keep-going"] + options, input: input + "\n")
  }

  /// Returns a module with one screen, whose view has this body.
  private func view(_ body: String, state: String = "{}") -> [String: String] {
    [
      "m.lua": """
      local moon = require "moonwire"
      local ui = moon.ui
      return moon.module {
        state = \(state),
        actions = { go = { text = "string?", word = "string?", n = "integer?" } },
        reducers = { go = function(state, payload) state.done = payload end },
        routes = { ["/m"] = function() return { title = "M" } end },
        views = {
          m = function(screen, state, self)
            \(body)
          end,
        },
      }
      """
    ]
  }

  // MARK: Reloading

  @Test func `a reload doesn't bring back what was removed`() throws {
    let result = try run(
      [
        "m.lua": """
        return {
          state = { names = { [7] = "Ada" } },
          reducers = { remove = function(state, payload) state.names[payload.id] = nil end },
        }
        """
      ], "m/remove id=7\n:reload\n:state m.names")
    #expect(result.lines.last == "{}", "\(result.output)")
    #expect(result.errors.contains(": state kept, "), "\(result.errors)")
  }

  // MARK: Ids

  private static func tabs(_ screen: String) -> [String: String] {
    [
      "app.lua": """
      local nav = require("moonwire").nav
      return {
        routes = { ["/home"] = function() return { \(screen) } end },
        on_start = function(self)
          self.dispatch(nav.set(nav.tabs { nav.stack { "/home", id = "home" }, "/home" }))
        end,
      }
      """
    ]
  }

  @Test func `a screen's own id gives way to those that an action gives`() throws {
    let result = try run(Self.tabs("kind = 'home', title = 'Home'"), ":nav")
    #expect(result.errors == "")
    #expect(
      result.output == """
        window main
        └─ tabs ▸1
           ├─ stack home  home-2*
           └─ home-3

        """)
  }

  @Test func `of two ids that are given, the holder and the dispatcher's line are told`() throws {
    let result = try run(Self.tabs("id = 'home'"), ":nav")
    #expect(
      result.errors.contains(
        "error: the navigation can't do that: the id home is taken by a stack\n"),
      "\(result.errors)")
    #expect(result.errors.contains("from on_start of module app (app.lua:4)"), "\(result.errors)")
    #expect(result.errors.contains("give one of them another `id`"), "\(result.errors)")
  }

  @Test func `a tab that isn't there is told with those that are`() throws {
    let result = try run(
      Self.tabs("title = 'Home'"),
      "nav/select_tab id=hme\nnav/present node=/home\nnav/select_tab id=home")
    #expect(
      result.errors.contains("there is no tab hme: there are home and app"), "\(result.errors)")
    #expect(result.errors.contains("help         did you mean home?"), "\(result.errors)")
    #expect(
      result.errors.contains("app-3 is presented over the tabs of window main"), "\(result.errors)")
    #expect(
      result.errors.contains("dismiss it first: moon.nav.dismiss_to_root() does"),
      "\(result.errors)")
  }

  // MARK: Forms

  private static let form = """
    return {
      ui.input { id = "text", label = "Text", required = true },
      ui.input { id = "word", label = "Word", style = "password" },
      ui.button("Log in", "go"), ui.button("Leave it", "go", { n = 1 }, { inputs = false }),
    }
    """

  @Test func `a button without inputs works while required ones are empty`() throws {
    let result = try run(view(Self.form), ":open /m\n:tap \"Leave it\"")
    #expect(result.output.contains("m.done  + {n = 1}"), "\(result.output)")
    #expect(result.errors == "")
  }

  @Test func `what is missing is told with the button, and how it needs nothing`() throws {
    let result = try run(view(Self.form), ":open /m\n:tap 'Log in'")
    #expect(
      result.errors == """
        error: Text is missing
          help         fill it in: :input text=…
                       if the button needs no inputs, its options say so: { inputs = false }
          tapped       [1] Log in (m.lua:13)
          input        line 2: :tap 'Log in'

        """)
  }

  @Test(arguments: [":input word=moon text='a b'", "# nothing more"])
  func `a password isn't shown`(line: String) throws {
    for options in [[], ["--json"]] as [[String]] {
      let folder = try ScriptFolder(view(Self.form))
      let result = try Program.run(
        ["run", folder.root] + options, input: ":open /m\n:input word=moon\n\(line)\n:screen\n")
      #expect(result.code == 0)
      #expect(result.output.contains("••••"), "\(result.output)")
      #expect(!result.output.contains("moon\""), "\(result.output)")
    }
  }

  @Test func `a button's payload is a table`() throws {
    let result = try run(view("local go = ui.button('Go', 'go', 'now') return { go }"), ":open /m")
    #expect(
      result.output.contains(
        "ui.button takes the action's payload third, which is a table such as { by = 1 }, not a "
          + "string"), "\(result.output)")
    #expect(result.output.contains("m.lua:10"), "\(result.output)")
  }

  // MARK: Views

  @Test func `rows in a list of their own are shown in its place`() throws {
    let body = """
      local rows = { "one", { "two", {}, false, { ui.text("three") } } }
      return {
        rows, ui.container { { "four" } },
        ui.actions { { ui.button("A", "go") }, ui.button("B", "go") },
        ui.list({ 1, 2 }, function(n) return { "item", "" .. n } end),
        ui.when(true, function() return { "last" } end),
        { type = "Container", items = { { "raw" } } },
      }
      """
    let result = try run(view(body), ":open /m")
    #expect(
      result.output == """
        navigation  m*
        M  /m
          one
          two
          three

          four

          [1] A  [2] B

          item
          1
          item
          2

          last

          raw

        """)
  }

  @Test(arguments: [
    ("local text = 'x'", true), ("if state.never then return { 'x' } end", true),
    ("return {}", false), ("return false", false), ("return ''", false),
  ])
  func `a view that returns nothing at all is told, with its line`(body: String, isTold: Bool)
    throws
  {
    let text = "(m.lua:9: nothing was returned; return a list of elements, or {} to show nothing)"
    for options in [[], ["--json"]] as [[String]] {
      let folder = try ScriptFolder(view(body))
      let result = try Program.run(["run", folder.root] + options, input: ":open /m\n:screen\n")
      let shown = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let words = options.isEmpty ? text : String(text.dropFirst().dropLast())
      #expect(shown.contains(words) == isTold, "\(result.output)")
    }
  }

  @Test(arguments: [
    ("local text = 'x'", true), ("local function f() return 1 end f()", true),
    ("if state.never then return { 'x' } end", false), ("error('not yet')", false),
    ("return {}", false), ("for i = 1, 2 do local f = function() end end", true),
  ])
  func `a view without a return is found by check`(body: String, isTold: Bool) throws {
    let folder = try ScriptFolder(view(body, state: "{ never = false }"))
    let result = try Program.run(["check", folder.root])
    let warning = "view m of module m returns nothing [empty_view]\n  m.lua:9"
    #expect(result.errors.contains(warning) == isTold, "\(result.errors)")
  }

  // MARK: Hints

  static let hints: [(body: String, hint: String)] = [
    (
      "return 'Hi ' .. state.other.name",
      "`state` is the module's own: read module other's with self.state(\"other.…\")"
    ),
    ("return 'Hi ' .. state.usr", "there is no state.usr: did you mean state.user?"),
    ("return ui.input { id = 'a', requird = true }", "unknown field; did you mean required?"),
    ("return ui.text('a', { colr = 'good' })", "unknown field; did you mean color?"),
  ]

  @Test(arguments: hints)
  func `a mistake in a view is told with the name that was meant`(
    body: String, hint: String
  ) throws {
    var files = view(body, state: "{ user = 'Max' }")
    files["other.lua"] = "return { state = { name = 'Eva' } }"
    let result = try run(files, ":open /m")
    let shown = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(shown.contains(hint), "\(result.output)")
  }

  @Test func `a reducer that dispatches is told who may`() throws {
    let result = try run(
      ["m.lua": "return { reducers = { go = function(s, p, self) self.dispatch('x') end } }"],
      "m/go")
    #expect(
      result.errors.contains(
        "help         a reducer only changes the state: an effect of the action can do that, as in "
          + "effects = { … = function(payload, self) self.dispatch(…) end }"), "\(result.errors)")
  }

  @Test func `a part of moon without moon is told at the prompt`() throws {
    let result = try run([:], "= nav.select_tab('home')\n= ui.text('x')")
    #expect(result.errors.contains("it is moon.nav"), "\(result.errors)")
    #expect(result.errors.contains("it is moon.ui"), "\(result.errors)")
  }

  @Test func `a wrong option has its line once`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      local moon = require "moonwire"
      return moon.module { routes = { ["/m"] = {
        option = moon.modal { onse = true }, screen = function() return {} end } } }
      """
    ])
    let result = try Program.run(["check", folder.root])
    #expect(result.errors.contains("no field 'onse'; did you mean 'once'?"))
    #expect(result.errors.components(separatedBy: "m.lua:3").count == 2, "\(result.errors)")
  }

  @Test func `a view for a kind that is written differently is told the kind`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      return {
        routes = { ["/m"] = function() return { kind = "pagge" } end },
        views = { page = function() return {} end },
      }
      """
    ])
    let result = try Program.run(["check", folder.root])
    #expect(result.errors.contains("help         did you mean pagge?"), "\(result.errors)")
  }

  @Test func `a screen without anything to use says what it lacks`() throws {
    let result = try run(view("return 'x'"), ":open /m\n:tap Save\n:input a=b")
    #expect(result.errors.contains("the screen on top has no controls; :screen shows it"))
    #expect(result.errors.contains("the screen on top has no inputs; :screen shows it"))
  }

  @Test func `a payload that is cut is closed`() throws {
    let result = try run(
      ["m.lua": "return { actions = { go = {} }, reducers = { go = function() end } }"],
      """
      m/go back="/orders/99" deep={"list":["one word","and another one"]} name="Max Mustermann"
      :history
      """)
    let line = try #require(result.lines.last)
    #expect(line.contains(#/\{back = .*….*\}  /#), "\(line)")
  }
}
