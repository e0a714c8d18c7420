import Glibc
import MoonFiles

extension FileStatus {
  /// Returns the status of what is at a path, following symbolic links; nil if it can't be reached.
  static func found(at path: String) -> FileStatus? {
    try? FileStatus(following: PathBytes(path))
  }
}

/// The making of directories that only their owner can read.
enum DirectoryCreation {
  /// Makes a directory and those that it lies in, unless they exist.
  static func make(_ path: String) throws(StorageError) {
    guard FileStatus.found(at: path) == nil else { return }
    let cut = path.lastIndex(of: "/")
    if let cut, cut > path.startIndex { try make(String(path[..<cut])) }
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    throw failure(path, errno)
  }

  /// Returns the error for the number of a failed system call.
  static func failure(_ path: String, _ code: Int32) -> StorageError {
    switch code {
    case EROFS, EACCES, EPERM: .readOnly(path: path)
    case ENOSPC, EDQUOT: .full(path: path)
    default: .unavailable(path: path, reason: String(cString: strerror(code)))
    }
  }
}

/// A lock on a file, which other programs respect.
struct FileLock {
  private let descriptor: Int32
  /// The time between two attempts, in microseconds.
  private static let pause: UInt32 = 10_000

  /// Locks a file, which is made if necessary.
  ///
  /// Blocks while another program has the lock.
  init(_ path: String, within seconds: Double) throws(StorageError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DirectoryCreation.failure(path, errno) }
    let deadline = ContinuousClock.now + .seconds(seconds)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR else {
        close(descriptor)
        throw DirectoryCreation.failure(path, code)
      }
      guard ContinuousClock.now < deadline else {
        close(descriptor)
        throw .locked(path: path, seconds: seconds)
      }
      usleep(Self.pause)
    }
  }

  func release() { close(descriptor) }
}
