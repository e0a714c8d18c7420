import Glibc

/// Reads whole files.
package enum WholeFile {
  /// Returns the contents of a file.
  ///
  /// A FIFO that nobody writes to is empty.
  ///
  /// - Throws: ``SystemError``, with `EFBIG` if there are more than `byteCountMax` bytes.
  package static func bytes(
    of path: String, upTo byteCountMax: Int
  ) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .latest }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .latest }
      if count == 0 { return bytes }
      bytes += block[..<count]
      guard bytes.count <= byteCountMax else { throw SystemError(code: EFBIG) }
    }
  }

  /// Replaces the contents of a file, or creates it.
  ///
  /// The new contents reach the disk before they take the place of the old ones. After an error,
  /// the file is as it was. `mode` are its permissions, without those that the process never gives.
  ///
  /// - Throws: ``SystemError``
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32
  ) throws(SystemError) {
    DraftName.clear(beside: path)
    let temporary = DraftName.beside(path)
    do throws(SystemError) {
      try write(bytes, to: temporary, mode)
      guard rename(temporary, path) == 0 else { throw .latest }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func write(
    _ bytes: [UInt8], to path: String, _ mode: UInt32
  ) throws(SystemError) {
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
