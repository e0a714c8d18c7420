package import MoonLua

/// The part of the bindings that is written in Lua, compiled into the program.
package enum Prelude {
  /// The prelude of a module's machine.
  static let module: [UInt8] = PackageResources.moonwire_lua

  /// The prelude of the prompt's machine: the same, with the prompt's own functions.
  package static let console: [UInt8] =
    Array("local moon = (function(...) ".utf8) + PackageResources.moonwire_lua
    + Array("\nend)(...)\n".utf8) + PackageResources.console_lua

  /// The parts loaded on first use, by the name passed to `require`.
  private static let parts: [String: [UInt8]] = [
    "moonwire.api": PackageResources.api_lua,
    "moonwire.charts": PackageResources.charts_lua,
    "moonwire.elements": PackageResources.elements_lua,
    "moonwire.expressions": PackageResources.expressions_lua,
    "moonwire.operations": PackageResources.operations_lua,
    "moonwire.forms": PackageResources.forms_lua,
    "moonwire.navigation": PackageResources.navigation_lua, "moonwire.ui": PackageResources.ui_lua,
    "moonwire.tasks": PackageResources.tasks_lua,
    "moonwire.templates": PackageResources.templates_lua,
    "moonwire.services": PackageResources.services_lua,
  ]

  /// Returns the part that a script requires; nil if there is none of the name.
  package static func library(_ name: String) -> Services.Library? {
    parts[name].map { Services.Library(file: "\(name.replacing(".", with: "/")).lua", own: $0) }
  }
}
