import Glibc
import Moonwire
import Synchronization

/// The exclusive use of a file, which ends with the program.
///
/// The lock is one of flock(2), beside those of SQLite's own.
final class FileLock: Sendable {
  /// The permissions of a journal: only its owner may read it.
  static let mode: mode_t = 0o600

  private let descriptor: Int32
  private let isReleased = Atomic(false)

  /// Locks a file, which is made if it is to be new.
  ///
  /// - Throws: ``JournalError/Reason``
  init(_ path: String, isNew: Bool) throws(JournalError.Reason) {
    let flags = O_RDWR | O_CLOEXEC | O_NOCTTY | (isNew ? O_CREAT : 0)
    let descriptor = open(path, flags, Self.mode)
    guard descriptor >= 0 else { throw JournalError.Reason(errno: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw code == EWOULDBLOCK ? .inUse : JournalError.Reason(errno: code)
    }
    fchmod(descriptor, Self.mode)
    self.descriptor = descriptor
  }

  deinit { release() }

  /// Whether the file is still in a directory.
  var isInPlace: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Ends the use; does nothing the second time.
  ///
  /// Called after SQLite has closed the file: closing any descriptor of a file ends the process's
  /// POSIX locks on it.
  func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    Glibc.close(descriptor)
  }
}

extension JournalError.Reason {
  /// Makes the reason for an error of the system.
  init(errno code: Int32) {
    self =
      switch code {
      case ENOENT: .missing
      case EACCES, EPERM, EROFS: .readOnly
      case ENOSPC, EDQUOT: .full
      default: .failed("\(SystemError(code: code))")
      }
  }
}
