/// The types of what a module's table holds under its keys.
enum ModuleKeyTypes {
  /// The type of each key of ``ModuleKeys``.
  static let types: [String: String] = [
    "description": "string", "debug": "boolean", "needs": "table", "version": "integer",
    "settings": "table<string, table>", "state": "any", "shape": "table", "redact": "string[]",
    "actions": "table<string, string|table>",
    "reducers": "table<string, fun(state: any, payload: any, action: moon.Action): any>",
    "reduce_all": either("state: any, payload: any, action: moon.Action", "any"),
    "derive": "table",
    "middleware": placed("action: moon.Action, state: any, self: moon.Self", "any"),
    "after_reduce":
      placed("action: moon.Action, before: any, after: any, self: moon.Self", "any"),
    "observe": "table<string, \(function("new: any, old: any, self: moon.Self", "any"))|table>",
    "routes": keyed("route: moon.Route, state: any, self: moon.Self", "any"),
    "handlers": keyed("route: moon.Route, state: any, self: moon.Self", "any"),
    "unmatched": function("route: moon.Route, state: any, self: moon.Self", "any"),
    "routing_options": placed("route: moon.Route, option: any, state: any, self: moon.Self", "any"),
    "routing_observers": "table",
    "connect": "table",
    "presenters":
      placed("screen: moon.Screen, route: moon.Route, state: any, self: moon.Self", "any"),
    "routing_presenters": keyed(
      "screen: moon.Screen, option: any, state: any, self: moon.Self", "any"),
    "title": either("screen: moon.Screen, state: any, self: moon.Self", "string?"),
    "windows": "table<string, table>",
    "keys": "table<string|integer, string|table>",
    "containers": keyed("container: any, state: any, self: moon.Self", "any"),
    "views": keyed("screen: moon.Screen, state: any, self: moon.Self", "any"),
    "extends": keyed("screen: moon.Screen, data: any, state: any, self: moon.Self", "any"),
    "lifecycle": "table",
    "map_modules": either("action: moon.Action, state: any, self: moon.Self", "any"),
    "map_navigation": either("action: moon.Action, state: any, self: moon.Self", "any"),
    "effects": keyed("payload: any, self: moon.Self, action: moon.Action", "any"),
    "api": "table<string, table>", "schedules": "table<string, table>",
    "commands": keyed("payload: any, self: moon.Self", "any"),
    "on_start": hook, "on_restore": hook, "on_stop": hook,
    "on_back": function("screen: moon.Screen, state: any, self: moon.Self", "any"),
    "on_settings": function("changed: string[], self: moon.Self", "any"),
    "migrate": function("old: any, from: integer", "any"),
  ]

  private static let hook = function("self: moon.Self", "any")

  private static func function(_ parameters: String, _ result: String) -> String {
    "fun(\(parameters)): \(result)"
  }

  /// Functions by name, each alone or in a table with more.
  private static func keyed(_ parameters: String, _ result: String) -> String {
    "table<string, (\(function(parameters, result)))|table>"
  }

  /// The same, or one function for all.
  private static func either(_ parameters: String, _ result: String) -> String {
    "(\(function(parameters, result)))|\(keyed(parameters, result))"
  }

  /// A function, a table with one, or a list of these.
  private static func placed(_ parameters: String, _ result: String) -> String {
    "(\(function(parameters, result)))|table"
  }

  /// The annotations of any module's table.
  static var text: String {
    (["---@class moon.Module"]
      + types.sorted { $0.key < $1.key }.map { "---@field \($0.key)? \($0.value)" })
      .joined(separator: "\n")
  }

  /// The keys whose functions most often look at the state of their own module.
  private static let owned = ["handlers", "routes", "views"]

  /// Returns the annotations of the table of one module; `own` is the prefix of its types.
  static func text(of own: String, state: String, self context: String) -> String {
    let fields = owned.compactMap { key in
      types[key].map {
        "---@field \(key)? "
          + $0.replacing("state: any", with: "state: \(state)")
          .replacing("moon.Self", with: context)
      }
    }
    return
      (["---@class \(own).Module: moon.Module", "---@field reducers? \(own).Reducers"] + fields)
      .joined(separator: "\n")
  }

  /// The types of the values that functions get.
  static let values = """
    ---@class moon.Action
    ---@field type string
    ---@field payload any
    ---@field meta { id: integer, time: number, cause: any, parent: integer? }
    ---@class moon.Route
    ---@field url string
    ---@field pattern string
    ---@field name string?
    ---@field scheme string?
    ---@field module string
    ---@field params table<string, any>
    ---@field wildcard string?
    ---@field option any
    ---@field redirected_from string?
    ---@class moon.Screen
    ---@field id string
    ---@field title string
    ---@field kind string
    ---@field props table<string, any>
    ---@field body any
    ---@field url string
    ---@field params table<string, any>
    ---@field module string
    ---@field presentation any
    """
}
