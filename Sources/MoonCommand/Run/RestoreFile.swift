import Glibc
import Moonwire

/// The file with the state that a run begins with, as `--state` wrote it.
enum RestoreFile {
  /// How many bytes are read at once.
  private static let chunkByteCount = 1 << 20

  /// Reads the state.
  ///
  /// - Throws: ``RestoreFileError``
  static func state(at path: String) throws(RestoreFileError) -> Value {
    let limits = ParseLimits.state
    let bytes = try bytes(at: path, countMax: limits.byteCountMax)
    do throws(ParseError) {
      return try Value(parsing: bytes, limits: limits)
    } catch {
      throw .notJSON(path: path, error)
    }
  }

  /// The bytes of a file; of one that is longer than `countMax` a few more than that.
  private static func bytes(at path: String, countMax: Int) throws(RestoreFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: chunkByteCount)
    while bytes.count <= countMax {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, code: errno) }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}

/// Why a run can't begin with a file's state.
enum RestoreFileError: Error, Equatable {
  /// `code` is the system's `errno`.
  case unreadable(path: String, code: Int32)
  /// What it holds isn't JSON.
  case notJSON(path: String, ParseError)
}
