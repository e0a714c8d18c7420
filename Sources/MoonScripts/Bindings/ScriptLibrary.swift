/// The words of scripts: those that call the host, and those whose code is Lua's alone.
package enum ScriptLibrary {
  /// All words of `moon`, its parts, `self`, tasks and timers.
  package static let words =
    HostFunctions.all.flatMap(\.words) + values + modules + options + navigation + elements

  /// Returns the word with a path; nil if there is none.
  package static func word(_ path: String) -> ScriptWord? { byPath[path] }

  private static let byPath = Dictionary(words.map { ($0.path, $0) }) { first, _ in first }

  private static let values: [ScriptWord] = [
    ScriptWord("moon.null: any", "JSON's null"),
    ScriptWord("moon.version: string", "the version of the host"),
    ScriptWord("moon.log: table", "the functions that write to the log"),
    ScriptWord("moon.nav: table", "the functions that make actions of the navigation"),
    ScriptWord("moon.ui: table", "the functions that make elements"),
    ScriptWord("moon.list(table: table?): table", "makes a table a list, even if it is empty"),
    ScriptWord(
      "moon.random(…): number",
      "like `math.random`; in a reducer, it repeats the same numbers in every replay"),
  ]

  private static let modules: [ScriptWord] = [
    ScriptWord(
      "moon.module(table: table): table", "marks the table that a module returns, and returns it"),
    ScriptWord(
      "moon.optional(scope: string, reason: string?): table",
      "a scope under `needs` that the module can do without, and what it is for"),
    ScriptWord(
      "moon.refuse(reason: string, details: any?)",
      "refuses the action, the URL or the command that the code is called for"),
    ScriptWord(
      "moon.route(url: string, params: table?, option: table?): table",
      "an action that routes a URL"),
    ScriptWord(
      "moon.redirect(url: string, params: table?, option: string | table?): table",
      "returned by handlers and routing observers: routes another URL instead"),
    ScriptWord(
      "moon.start(module: string, payload: any?): table",
      "returned by module mappers: dispatches the module's action `start`"),
    ScriptWord(
      "moon.stop(module: string, payload: any?): table",
      "returned by module mappers: dispatches the module's action `stop`"),
    ScriptWord(
      "moon.defer(f: function): table", "makes a source of actions, which an effect returns"),
  ]

  private static let options: [ScriptWord] =
    [
      ("show", "is pushed if there is a stack, and presented otherwise"),
      ("push", "is pushed onto the stack on top"),
      ("modal", "is presented over the window"),
      ("detail", "becomes the only screen in the detail of the split view on top"),
      ("root", "becomes the only screen of the stack on top"),
      ("back_to", "takes the place of the screen that going back would show"),
      ("none", "is made and observed, but not shown"),
    ].map { kind, what in
      ScriptWord("moon.\(kind)(fields: table?): table", "a routing option: the screen \(what)")
    } + [
      ScriptWord(
        "moon.replace(type: string | table?, payload: any?): table",
        "returned by module mappers: replaces the action"),
      ScriptWord(
        "moon.option(kind: string, fields: table?): table",
        "a routing option that the routing presenter for that kind handles"),
    ]

  /// Makes words of `moon.nav`, each an action's; all take options last.
  private static func nav(
    _ names: String, _ parameters: String, _ help: String
  ) -> [ScriptWord] {
    names.split(separator: " ").map {
      ScriptWord("moon.nav.\($0)(\(parameters)): table", help)
    }
  }

  private static let navigation: [ScriptWord] = [
    nav("push", "screen: string | table, options: table?", "puts a screen on the stack"),
    nav("replace", "screen: string | table, options: table?", "replaces the screen on top"),
    nav("root", "screen: string | table, options: table?", "makes a screen the only one"),
    nav("show", "screen: string | table, options: table?", "pushes or presents a screen"),
    nav("update", "screen: table, options: table?", "replaces the screen with the same id"),
    nav("back", "options: table?", "goes one step back: pops, or else dismisses"),
    nav("back_to", "target: string | table, options: table?", "goes back to a screen"),
    nav("pop", "count: number?, options: table?", "takes screens off the stack on top"),
    nav("pop_to", "id: string, options: table?", "takes screens off the stack on top"),
    nav("pop_to_root", "options: table?", "takes screens off the stack on top"),
    nav("set_navigation", "screens: table, options: table?", "replaces a stack's screens"),
    nav("present", "node: string | table, options: table?", "presents over the window"),
    nav("dismiss", "count: number?, options: table?", "removes presented screens"),
    nav("dismiss_to", "id: string, options: table?", "removes presented screens"),
    nav("dismiss_to_root", "options: table?", "removes presented screens"),
    nav("set", "root: string | table?, options: table?", "replaces a window's content"),
    nav("split", "columns: table", "makes what `set` and `present` take"),
    nav("stack tabs", "items: table", "makes what `set` and `present` take"),
    nav("screen", "url: string, params: table?", "makes what `set` and `present` take"),
    nav("set_tabs", "tabs: table, options: table?", "changes the tabs on top"),
    nav(
      "insert_tab", "tab: string | table, at: string | number?, options: table?",
      "changes the tabs on top"),
    nav("remove_tab", "id: string, options: table?", "changes the tabs on top"),
    nav("select_tab", "tab: string | number, options: table?", "changes the tabs on top"),
    nav("show_detail", "screen: string | table, options: table?", "shows a screen in the detail"),
    nav(
      "set_column", "column: string, node: string | table, options: table?",
      "changes the split view on top"),
    nav("select_column", "column: string, options: table?", "changes the split view on top"),
    nav("collapse", "id: string?, options: table?", "lets a split view show one column only"),
    nav("expand", "id: string?, options: table?", "lets a split view show both columns"),
    nav("start", "id: string, options: table?", "adds a window"),
    nav("close", "id: string, options: table?", "removes a window"),
    nav("focus", "id: string, options: table?", "makes a window the key window"),
  ].flatMap(\.self)

  /// Makes words of `moon.ui`.
  private static func ui(
    _ names: String, _ parameters: String, _ help: String
  ) -> [ScriptWord] {
    names.split(separator: " ").map {
      ScriptWord("moon.ui.\($0)(\(parameters)): table", help)
    }
  }

  private static let elements: [ScriptWord] = [
    ui("text heading", "text: any, options: table?", "makes a text"),
    ui("rich", "runs: table", "makes a text of several runs"),
    ui("image", "url: string, options: table?", "makes an image"),
    ui("images", "images: table", "makes a set of images"),
    ui("media", "url: string, options: table?", "makes a film or a sound"),
    ui(
      "show_card", "title: string, items: table, options: table?",
      "makes a button that shows more elements"),
    ui("container column row", "items: table", "groups elements"),
    ui(
      "list", "items: table, f: function, options: table?",
      "makes an element for each item"),
    ui("slot", "name: string, options: table?", "makes a place that modules fill"),
    ui("when", "condition: any, f: any, g: any?", "shows one thing or another"),
    ui("facts", "pairs: table", "makes a list of titles and values"),
    ui("table", "rows: table", "makes a table"),
    ui(
      "progress", "done: number?, all: number?, options: table?", "makes a progress bar"
    ),
    ui("chart", "figures: table", "makes a chart of bars or lines"),
    ui("template", "card: table, data: any", "fills the template of a card with data"),
    ui(
      "button", "title: string, target: string | table, data: table?, options: table?",
      "makes an action that dispatches an action or routes a URL"),
    ui(
      "submit", "title: string, type: string?, data: table?, options: table?",
      "makes an action that dispatches an action with the inputs"),
    ui(
      "open", "title: string, url: string, options: table?",
      "makes an action that routes a URL"),
    ui(
      "toggle_visibility", "title: string, ids: string | table, options: table?",
      "makes an action that shows and hides elements"),
    ui("actions", "actions: table", "puts actions side by side"),
    ui("menu", "title: string, actions: table", "puts actions into a menu"),
    ui("input editor number date time toggle choice", "options: table", "makes an input"),
    ui(
      "form", "action: string, options: table?",
      "makes inputs for the fields of an action, and a button that dispatches it"),
  ].flatMap(\.self)
}
