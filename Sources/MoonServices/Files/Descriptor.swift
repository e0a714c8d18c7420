import Glibc
import MoonFiles

/// A file descriptor, closed on deinitialization.
///
/// The methods are the system calls of the same names, retried when a signal interrupts them.
struct Descriptor: ~Copyable {
  /// `O_PATH` of Linux, which Swift's Glibc lacks: the descriptor stands for a place.
  ///
  /// Opening it has no effect on what is there. It doesn't block on a pipe, for example.
  static let placeOnly: Int32 = 0o10_000_000
  /// `F_SETLEASE` of Linux, which Swift's Glibc lacks: see fcntl(2).
  static let setLease: Int32 = 1024

  let number: Int32

  /// Takes ownership of a descriptor.
  private init(owning number: Int32) throws(SystemError) {
    guard number >= 0 else { throw .latest }
    self.number = number
  }

  /// Opens a path, following symbolic links unless the flags say otherwise.
  init(opening path: String, _ flags: Int32) throws(SystemError) {
    try self.init(owning: Self.retrying { open(path, flags | O_CLOEXEC | O_NOCTTY) })
  }

  /// Opens a name in a directory.
  ///
  /// A new file gets `mode`, minus the process's umask.
  init(
    opening name: PathBytes, in directory: borrowing Descriptor, _ flags: Int32, mode: mode_t = 0
  ) throws(SystemError) {
    let parent = directory.number
    try self.init(
      owning: Self.retrying {
        openat(parent, name.characters, flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, mode)
      })
  }

  deinit { close(number) }

  /// Opens exactly the file that this descriptor stands for, whatever its path is now.
  func reopened(_ flags: Int32) throws(SystemError) -> Descriptor {
    try Descriptor(opening: "/proc/self/fd/\(number)", flags)
  }

  /// Returns another descriptor for the same file, which the caller closes.
  func duplicate() throws(SystemError) -> Int32 {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .latest }
    return copy
  }

  /// The path without symbolic links at which the file is now, in UTF-8; nil for other bytes.
  func place() throws(SystemError) -> String? {
    try PathBytes(readingLink: PathBytes("/proc/self/fd/\(number)")).validText
  }

  func status() throws(SystemError) -> FileStatus { try FileStatus(descriptor: number) }

  /// Whether the effective user of the process may write the file.
  var isWritable: Bool { faccessat(AT_FDCWD, "/proc/self/fd/\(number)", W_OK, AT_EACCESS) == 0 }

  /// Reads up to `max` more bytes; fewer only at the end.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, or ``SystemError``.
  func read(max: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < max {
      try Task.checkCancellation()
      let wanted = min(Self.chunkBytes, max - bytes.count)
      var chunk = [UInt8](repeating: 0, count: wanted)
      let count = Self.retrying { Glibc.read(number, &chunk, wanted) }
      guard count >= 0 else { throw SystemError.latest }
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
    }
    return bytes
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      let count = Self.retrying {
        bytes.withUnsafeBytes { buffer in
          guard let base = buffer.baseAddress else { return 0 }
          return Glibc.write(number, base + start, buffer.count - start)
        }
      }
      guard count >= 0 else { throw .latest }
      start += count
    }
  }

  func synchronize() throws(SystemError) {
    guard Self.retrying({ fsync(number) }) == 0 else { throw .latest }
  }

  private static let chunkBytes = 64 << 10

  private static func retrying<Count: FixedWidthInteger>(_ call: () -> Count) -> Count {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}
