import Foundation
import MoonTestSupport
import Testing

/// URLs and screens in a piped script.
@Suite(.ownThread) struct ScreenPromptTests {
  static let shop = """
    local moon = require "moonwire"
    return moon.module {
      state = { seen = 0 },
      actions = { add = { by = "integer" }, save = { name = "string", age = "number?" } },
      reducers = {
        add = function(state, payload) state.seen = state.seen + payload.by end,
        save = function(state, payload) state.saved = payload end,
      },
      routes = {
        ["/list"] = function() return { kind = "list", title = "Things" } end,
        ["/detail/:id<int>"] = { name = "detail", screen = function(route)
          return { kind = "detail", title = "Thing " .. route.params.id,
            props = { from = route.params.from } }
        end },
        ["/form"] = { option = moon.modal(), screen = function()
          return { kind = "form", title = "New thing" } end },
        ["/broken"] = function() return { kind = "broken" } end,
        ["/bare"] = function() return { kind = "bare" } end,
      },
      handlers = {
        ["/more"] = function(route, state, self) self.dispatch("add", { by = 5 }) end,
      },
      views = {
        list = function(screen, state)
          return {
            { type = "TextBlock", text = "Seen: " .. state.seen },
            { type = "ActionSet", actions = {
              { type = "Action.Execute", title = "Add", verb = "add", data = { by = 1 } },
              { type = "Action.OpenUrl", title = "First", url = "/detail/1" },
              { type = "Action.ToggleVisibility", title = "Hint", targetElements = { "hint" } },
              { type = "Action.OpenUrl", title = "Again", url = "/list" },
              { type = "Action.OpenUrl", title = "Again", url = "/list" },
            } },
            { type = "TextBlock", id = "hint", text = "A hint", isVisible = false },
          }
        end,
        detail = function(screen)
          return { { type = "TextBlock", text = "from " .. (screen.props.from or "nowhere") } }
        end,
        form = function()
          return {
            { type = "Input.Text", id = "name", label = "Name", isRequired = true,
              errorMessage = "Everybody has a name" },
            { type = "Input.Number", id = "age", label = "Age in years", max = 150 },
            { type = "Action.Execute", title = "Save", verb = "save" },
          }
        end,
        broken = function() local x; return x.y end,
      },
    }
    """

  @Test func `a view leaves out what it has no condition for, at either end and between`() throws {
    let folder = try ScriptFolder([
      "m.lua": """
      local ui = require "moonwire".ui
      local function view(screen, state)
        local on = state.on
        return {
          on and ui.text("first") or nil, "always", on and ui.text("second"),
          ui.actions { ui.button("Toggle", "toggle"), on and ui.button("Off", "toggle") or nil,
            ui.button("More", "toggle") },
          nil, ui.when(on, function() return "last" end),
        }
      end
      return {
        state = { on = false },
        reducers = { toggle = function(state) state.on = not state.on end },
        routes = {
          ["/v"] = function() return { kind = "v" } end,
          ["/raw"] = function(_, state) return { body = { nil, state.on and "on", "raw" } } end,
          ["/none"] = function(_, state) return { body = state.on and { "on" } } end,
          ["/empty"] = function() return { kind = "empty" } end,
        },
        views = { v = view, empty = function(_, state) return state.on and { "on" } end },
      }
      """
    ])
    let result = try Program.run(
      ["run", folder.root],
      input: ":open /v\n:tap More\n:open /raw\n:open /none\n:open /empty\n")
    #expect(result.code == 0, "\(result.errors)")
    let shown = result.output
    #expect(shown.contains("  always\n\n  [1] Toggle  [2] More\n"), "\(shown)")
    #expect(
      shown.contains("  first\n  always\n  second\n\n  [1] Toggle  [2] Off  [3] More\n\n  last\n"),
      "\(shown)")
    #expect(shown.contains("  on\n  raw\n"), "\(shown)")
  }

  private func run(
    _ input: String, _ arguments: String...
  ) throws -> Program.Result {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    return try Program.run(["run", folder.root] + arguments, input: input)
  }

  @Test func `screens are opened, used and left`() throws {
    let result = try run(
      """
      :screen
      :open /list
      :tap 1
      :tap First
      :back
      :open /detail/7 from=here
      :nav
      :screen list
      """)
    #expect(
      result.output == """
        no screen is shown: :open URL shows one
        navigation  list*
        Things  /list
          Seen: 0

          [1] Add  [2] First  [3] Hint  [4] Again  [5] Again
        shop.seen  0 → 1
        Things  list*  /list
          Seen: 1

          [1] Add  [2] First  [3] Hint  [4] Again  [5] Again
        navigation  list › detail*
        Thing 1  /detail/1
          from nowhere
        navigation  list*
        Things  /list
          Seen: 1

          [1] Add  [2] First  [3] Hint  [4] Again  [5] Again
        navigation  list › detail*
        Thing 7  /detail/7
          from here
        window main
        └─ stack  list › detail*
        Things  list › detail*  /list
          Seen: 1

          [1] Add  [2] First  [3] Hint  [4] Again  [5] Again

        """)
    #expect(result.errors == "")
    #expect(result.code == 0)
  }

  @Test func `inputs are filled in and handed over`() throws {
    let result = try run(
      """
      :open /form
      :input name="Max M" "Age in years"=42
      :screen
      :tap save
      :state shop.saved
      """)
    #expect(
      result.lines.dropFirst(5) == [
        "{age = 42, name = \"Max M\"}", "New thing  form*  /form", "  Name*         [Max M]",
        "  Age in years  [42] up to 150", "  [1] Save",
        "shop.saved  + {age = 42, name = \"Max M\"}",
        "New thing  form*  /form", "  Name*         [__________]",
        "  Age in years  [__________] up to 150", "  [1] Save",
        "{age = 42, name = \"Max M\"}",
      ])
    #expect(result.code == 0)
  }

  @Test func `a screen is shown when something else puts it on top, and not else`() throws {
    let result = try run(
      """
      shop/add by=1
      nav/route url=/list
      = dispatch("nav/route", { url = "/detail/3" })
      shop/add by=1
      :open /more
      """, "--dispatch", "nav/route url=/bare")
    #expect(
      result.output == """
        navigation  bare*
        bare  /bare
          nothing is on it, and module shop has no view for 'bare'

        """)
    let piped = try run(
      """
      shop/add by=1
      nav/route url=/list
      = dispatch("nav/route", { url = "/detail/3" })
      shop/add by=1
      :open /more
      """)
    #expect(
      piped.output == """
        shop.seen  0 → 1
        navigation  list*
        Things  /list
          Seen: 1

          [1] Add  [2] First  [3] Hint  [4] Again  [5] Again
        navigation  list › detail*
        Thing 3  /detail/3
          from nowhere
        shop.seen  1 → 2
        shop.seen  2 → 7
        Thing 3  list › detail*  /detail/3
          from nowhere

        """)
  }

  @Test func `of a long screen that one comes to the beginning is shown`() throws {
    let folder = try ScriptFolder([
      "long.lua": """
      local body = {}
      for i = 1, 100 do body[i] = { type = "TextBlock", text = "line " .. i, spacing = "none" } end
      return { routes = { ["/long"] = function() return { body = body } end } }
      """
    ])
    let result = try Program.run(["run", folder.root], input: ":open /long\n")
    #expect(result.lines.count == 41)
    #expect(result.lines.suffix(2) == ["  line 38", "  … 62 lines more: :screen"])
    let asked = try Program.run(["run", folder.root], input: ":open /long\n:screen\n")
    #expect(asked.lines.last == "  line 100")
  }

  @Test func `what is only shown or hidden changes no state`() throws {
    let result = try run(":open /list\n:tap Hint\n")
    #expect(
      result.lines.suffix(4).map { $0.trimmingCharacters(in: .whitespaces) } == [
        "Things  list*  /list", "Seen: 0",
        "[1] Add  [2] First  [3] Hint  [4] Again  [5] Again", "A hint",
      ])
    #expect(!result.output.contains("nothing changed"))
  }

  @Test func `of several windows those are told that show something else`() throws {
    let result = try run(
      """
      :open /list
      nav/start id=side
      nav/set root={"stack":["/detail/1"]} window=side
      nav/push screen=/detail/2 window=main
      nav/focus id=main

      """)
    #expect(
      result.lines.filter { $0.hasPrefix("navigation") } == [
        "navigation  list*", "navigation  side: hidden", "navigation  side: detail*",
        "navigation  main: list › detail*", "navigation  main: list › detail*",
      ])
  }

  @Test func `a view that fails stands in the screen's place, and stops a script`() throws {
    let result = try run(":open /broken\n:nav\n")
    #expect(
      result.lines.prefix(5).map { $0 } == [
        "navigation  broken*", "broken  /broken", "  error: view broken of module shop failed",
        "    shop.lua:48: attempt to index a nil value (local 'x')", "      46 |       }",
      ])
    #expect(!result.output.contains("window main"))
    #expect(result.code == 65)
  }

  static let faulty: [(line: String, said: [String])] = [
    (":tap 9", ["the screen has no control 9", "there are    1 Add\n               2 First"]),
    (":tap Ad", ["the screen has no control Ad"]),
    (":tap Again", ["several controls are called Again", "use a number: :tap 4 or :tap 5"]),
    (":input x=1", ["the screen has no input x", "has no inputs; :screen"]),
    (":back", ["nothing to go back to in window main"]),
    (":screen lst", ["there is no screen lst", "did you mean list?"]),
    (":open /lst", ["/lst wasn't routed", "no pattern takes it", "did you mean /list?"]),
    (":open /%z", ["/%z wasn't routed", "the % at character 2"]),
    (":routes /%z", ["'/%z' can't be read as a URL", "the % at character 2"]),
    (":open", ["column 6: :open needs something after it", "as in :open /detail/7"]),
  ]

  @Test(arguments: faulty)
  func `what can't be done to a screen names what can`(line: String, said: [String]) throws {
    let result = try run(":open /list\n\(line)\n:nav\n", "--keep-going")
    #expect(result.code == 65)
    #expect(result.output.hasSuffix("window main\n└─ stack  list*\n"))
    for text in said + ["input        line 2: \(line)"] {
      #expect(result.errors.contains(text), "\(text) in:\n\(result.errors)")
    }
  }

  @Test func `without a screen, or with a wrong input, nothing is done`() throws {
    let none = try run(":tap 1\n")
    #expect(none.errors.hasPrefix("error: no screen is shown\n"))
    let missing = try run(":open /form\n:input age=42\n:tap Save\n")
    #expect(
      missing.errors == """
        error: Name is missing
          Everybody has a name
          help         fill it in: :input name=…
                       if the button needs no inputs, its options say so: { inputs = false }
          tapped       [1] Save (shop.lua:45)
          input        line 3: :tap Save

        """)
    let high = try run(":open /form\n:input age=200\n")
    #expect(high.errors.hasPrefix("error: Age in years must be at most 150\n"))
  }

  @Test func `a placeholder says what is gone`() throws {
    let folder = try ScriptFolder(["shop.lua": Self.shop])
    let file = folder.path("../state.json")
    _ = try Program.run(
      ["run", folder.root, "--dispatch", "nav/route url=/list", "--state", file])
    try folder.save("shop.lua", "return { state = {} }")
    let result = try Program.run(
      ["run", folder.root, "--restore", file], input: ":screen\n:tap 1\n")
    #expect(
      result.output == """
        Things  list?*  /list
          the route of module shop for /list is gone: the screen comes back with it

        """)
    #expect(result.errors.hasPrefix("error: the screen has no control 1\n"))
  }

  @Test func `programs get screens, navigation and raw changes`() throws {
    let result = try run(
      ":open /list\n:screen\n:nav\n:tap Add\n:open /form\n:input age=3\n:back\n:routes /list\n",
      "--json")
    #expect(result.code == 0)
    let objects = try result.lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(
      objects.map { $0["kind"] as? String } == [
        "open", "screen", "nav", "tap", "open", "input", "back", "match",
      ])
    let changes = try #require(objects[0]["changes"] as? [[String: Any]])
    #expect(changes.first?["path"] as? String == "navigation")
    let screen = try #require(objects[1]["screen"] as? [String: Any])
    #expect(screen["id"] as? String == "list")
    #expect(screen["trail"] as? String == "list*")
    #expect((screen["controls"] as? [[String: Any]])?.count == 5)
    #expect((screen["lines"] as? [String])?.first == "Seen: 0")
    #expect(objects[2]["lines"] as? [String] == ["window main", "└─ stack  list*"])
    #expect(objects[5]["values"] as? [String: Int] == ["age": 3])
    let match = objects[7]["match"] as? [String: Any]
    #expect(match?["pattern"] as? String == "/list")
  }
}
