import Glibc

/// The programs of the system.
package enum InstalledProgram {
  /// Returns the path of a program; nil if it isn't installed.
  package static func path(_ name: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
