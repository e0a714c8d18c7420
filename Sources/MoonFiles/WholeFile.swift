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
}
