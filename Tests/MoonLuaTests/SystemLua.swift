import CLua

/// The system's Lua with its own libraries.
enum SystemLua {
  struct Failed: Error {
    let message: String
  }

  /// Returns the string that a chunk returns.
  static func text(_ source: String) throws(Failed) -> String {
    guard let state = luaL_newstate() else { throw Failed(message: "no state") }
    defer { lua_close(state) }
    luaL_openlibs(state)
    let bytes = Array(source.utf8).map { CChar(bitPattern: $0) }
    // Errors use the same name for the chunk as ours.
    guard luaL_loadbufferx(state, bytes, bytes.count, "@counter.lua", "t") == 0,
      lua_pcallk(state, 0, 1, 0, 0, nil) == 0
    else {
      throw Failed(message: lua_tolstring(state, -1, nil).map { String(cString: $0) } ?? "?")
    }
    guard let text = lua_tolstring(state, -1, nil) else { throw Failed(message: "no text") }
    return String(cString: text)
  }
}
