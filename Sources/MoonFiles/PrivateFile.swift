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
  /// The new contents reach the disk before they take the place of the old ones. After an error,
  /// the file is as it was.
  ///
  /// - Throws: ``SystemError``
  package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    if let slash = path.lastIndex(of: "/") { try makeDirectory(String(path[..<slash])) }
    DraftName.clear(beside: path)
    let temporary = DraftName.beside(path)
    do throws(SystemError) {
      try write(bytes, to: temporary)
      guard rename(temporary, path) == 0 else { throw .latest }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .latest }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .latest }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw .latest }
  }
}
