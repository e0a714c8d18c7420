/// The Lua halves of the bindings, compiled in.
enum Prelude {
  /// What a module's machine begins with.
  static let module: [UInt8] = PackageResources.moonwire_lua

  /// What the prompt's machine begins with: the same, and the prompt's own functions.
  static let console: [UInt8] =
    Array("local moon = (function(...) ".utf8) + PackageResources.moonwire_lua
    + Array("\nend)(...)\n".utf8) + PackageResources.console_lua

  /// What is loaded when it is first asked for, by the name that it is required by.
  static let parts: [String: [UInt8]] = [
    "moonwire.navigation": PackageResources.navigation_lua, "moonwire.ui": PackageResources.ui_lua,
  ]
}
