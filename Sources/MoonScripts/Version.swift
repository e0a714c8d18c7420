import MoonLua

/// The version of Moonwire.
public enum Version {
  /// A semantic version: incompatible changes for scripts and embedding programs change the first
  /// number.
  public static let current = "0.1.0"

  /// The release of the system's Lua, such as `5.4.4`.
  public static var lua: String { LuaRelease.current }
}
