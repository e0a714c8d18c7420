import Glibc

/// Reads all names in a directory at once.
package enum DirectoryNames {
  /// Returns the names in a directory that don't begin with a full stop, sorted.
  ///
  /// Bytes that aren't UTF-8 are replaced.
  ///
  /// - Throws: ``SystemError``, for example with `ENOENT`.
  package static func all(in path: String) throws(SystemError) -> [String] {
    guard let directory = opendir(path) else { throw .latest }
    defer { closedir(directory) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(directory) {
      // In place, since a record is only as long as its name.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .latest }
    return names.sorted()
  }
}
