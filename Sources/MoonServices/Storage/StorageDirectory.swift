import Glibc

/// What tells a file from another one at the same path.
struct FileIdentity: Equatable {
  private let device: UInt
  private let number: UInt
  let isRegular: Bool
  let isOpenToOthers: Bool

  /// Returns nil if there is no file that can be reached.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isOpenToOthers = status.st_mode & 0o077 != 0
  }

  static func == (left: Self, right: Self) -> Bool {
    left.device == right.device && left.number == right.number
  }
}

/// The making of directories that only their owner can read.
enum DirectoryCreation {
  /// Makes a directory and those that it lies in, unless they exist.
  static func make(_ path: String) throws(StorageError) {
    guard FileIdentity(path) == nil else { return }
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
