import CMoonLua

/// The release of the Lua that is loaded.
package enum LuaRelease {
  /// Such as `5.4.4`; it may be newer than the release that the program was built with.
  package static var current: String {
    // Followed by a space and who holds the rights.
    String(String(cString: moon_lua_release()).prefix { $0 != " " })
  }
}
