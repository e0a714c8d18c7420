import Glibc
import Synchronization

/// An exclusive lock on a file among the programs that ask for it, released at the latest when the
/// program ends.
///
/// The lock is one of flock(2), which is independent of the POSIX locks that SQLite uses.
package final class FileLock: Sendable {
  /// The time between two attempts, in microseconds.
  private static let pause: UInt32 = 10_000

  private let path: PathBytes
  private let descriptor: Int32
  private let isReleased = Atomic(false)

  /// Locks a file, and lets only its owner read it.
  ///
  /// If `creating` is true, a missing file is created. Blocks for up to `seconds` while another
  /// program has the lock.
  ///
  /// - Throws: ``SystemError``, with `EWOULDBLOCK` if another program has the lock.
  package convenience init(
    _ path: String, creating: Bool, within seconds: Double = 0
  ) throws(SystemError) {
    let flags = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (creating ? O_CREAT : 0)
    try self.init(path, opening: flags, as: .regular, within: seconds)
    fchmod(descriptor, PrivateFile.mode)
  }

  /// Locks a directory, whose files others can use as before.
  ///
  /// - Throws: ``SystemError``, with `EWOULDBLOCK` if another program has the lock.
  package convenience init(
    directory: String, within seconds: Double
  ) throws(SystemError) {
    let flags = O_RDONLY | O_CLOEXEC | O_DIRECTORY
    try self.init(directory, opening: flags, as: .directory, within: seconds)
  }

  private init(
    _ path: String, opening flags: Int32, as kind: FileKind, within seconds: Double
  ) throws(SystemError) {
    let descriptor = open(path, flags, PrivateFile.mode)
    guard descriptor >= 0 else { throw .latest }
    do throws(SystemError) {
      // A pipe that someone has put there would keep whoever opens it waiting.
      guard try FileStatus(descriptor: descriptor).kind == kind else {
        throw SystemError(code: EINVAL)
      }
      try Self.lock(descriptor, until: ContinuousClock.now + .seconds(seconds))
    } catch {
      close(descriptor)
      throw error
    }
    self.path = PathBytes(path)
    self.descriptor = descriptor
  }

  /// Returns whether a program has the lock on a readable file.
  ///
  /// This process must not use the file through SQLite meanwhile, as with ``release()``.
  package static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  deinit { release() }

  private static func lock(
    _ descriptor: Int32, until deadline: ContinuousClock.Instant
  ) throws(SystemError) {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let error = SystemError.latest
      let isHeld = error.code == EWOULDBLOCK
      guard isHeld || error.code == EINTR, !isHeld || ContinuousClock.now < deadline else {
        throw error
      }
      if isHeld { usleep(pause) }
    }
  }

  /// Whether the file still has its path.
  package var isInPlace: Bool {
    guard let own = try? FileStatus(descriptor: descriptor) else { return false }
    return (try? FileStatus(following: path))?.identity == own.identity
  }

  /// Releases the lock; has no effect the second time.
  ///
  /// If SQLite uses the same file, it must have closed it before: closing any descriptor of a file
  /// ends the process's POSIX locks on it.
  package func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    // A process being started has a copy of the descriptor until it runs its program. Closing ours
    // alone would leave the lock to that copy.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
