import Glibc

/// The program's own files and directories, which only their owner can read.
package enum PrivateFile {
  /// The permissions of a file.
  package static let mode: UInt32 = 0o600
  private static let directoryMode: UInt32 = 0o700

  /// Creates a directory and its missing parents.
  ///
  /// - Throws: ``SystemError``
  package static func makeDirectory(_ path: String) throws(SystemError) {
    guard access(path, F_OK) != 0, !path.isEmpty else { return }
    if let slash = path.lastIndex(of: "/") { try makeDirectory(String(path[..<slash])) }
    guard mkdir(path, directoryMode) == 0 || errno == EEXIST else { throw .latest }
  }

  /// Replaces the contents of a file; creates the file and its directory if they are missing.
  ///
  /// After an error, the file is as it was; see ``WholeFile/replace(_:with:mode:)``.
  ///
  /// - Throws: ``SystemError``
  package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    if let slash = path.lastIndex(of: "/") { try makeDirectory(String(path[..<slash])) }
    try WholeFile.replace(path, with: bytes, mode: mode)
  }
}
