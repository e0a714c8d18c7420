/// The Lua halves of the bindings, compiled in.
enum Prelude {
  /// What a module's machine begins with.
  static let module: [UInt8] = Array("return ".utf8) + moon

  /// What the prompt's machine begins with: the same, and the prompt's own functions.
  static let console: [UInt8] = Array("local moon = ".utf8) + moon + PackageResources.console_lua

  /// What `moon.ui` is required as when it is first asked for.
  static let interfaceName = "moonwire.ui"
  /// What `moon.ui` is.
  static let interface: [UInt8] = PackageResources.ui_lua

  /// An expression that is the table `moon`.
  private static let moon: [UInt8] =
    function(PackageResources.moonwire_lua) + Array("(select(1, ...), select(2, ...), ".utf8)
    + function(PackageResources.navigation_lua) + Array("(...))\n".utf8)

  private static func function(_ source: [UInt8]) -> [UInt8] {
    Array("(function(...) ".utf8) + source + Array("\nend)".utf8)
  }
}
