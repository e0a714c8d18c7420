import CCurl
import GRDB
import Moonwire

/// A system library that modules reach through the host or the services.
public struct SystemLibrary: Sendable {
  /// The name by which the library calls itself.
  public let name: String
  /// The version of the loaded library, which may be newer than the one that the program was built
  /// with.
  public let version: String

  /// The libraries whose versions matter to scripts.
  public static var all: [SystemLibrary] { [lua, curl, sqlite] }

  private static var lua: SystemLibrary { SystemLibrary(name: "Lua", version: Version.lua) }

  private static var curl: SystemLibrary {
    let version = curl_version_info(CURLVERSION_FIRST).pointee.version.map { String(cString: $0) }
    return SystemLibrary(name: "libcurl", version: version ?? "unknown")
  }

  private static var sqlite: SystemLibrary {
    // Such as 3040001 for 3.40.1.
    let number = Database.sqliteLibVersionNumber
    return SystemLibrary(
      name: "SQLite", version: "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)")
  }
}
