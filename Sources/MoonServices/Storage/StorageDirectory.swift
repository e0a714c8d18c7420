import Glibc
import MoonFiles

extension FileStatus {
  /// Returns the status of what is at a path, following symbolic links; nil if it can't be reached.
  static func found(at path: String) -> FileStatus? {
    try? FileStatus(following: PathBytes(path))
  }
}

/// The data directory and its system calls.
enum StorageDirectory {
  /// Creates the directory and its missing parents.
  static func make(_ path: String) throws(StorageError) {
    do throws(SystemError) {
      try PrivateFile.makeDirectory(path)
    } catch {
      throw failure(path, error.code)
    }
  }

  /// Locks a file in it, created if missing; blocks while another program has the lock.
  static func lock(_ path: String, within seconds: Double) throws(StorageError) -> FileLock {
    do throws(SystemError) {
      return try FileLock(path, creating: true, within: seconds)
    } catch {
      throw error.code == EWOULDBLOCK
        ? .locked(path: path, seconds: seconds) : failure(path, error.code)
    }
  }

  /// Returns the error for the number of a failed system call.
  static func failure(_ path: String, _ code: Int32) -> StorageError {
    switch code {
    case EROFS, EACCES, EPERM: .readOnly(path: path)
    case ENOSPC, EDQUOT: .full(path: path)
    default: .unavailable(path: path, reason: "\(SystemError(code: code))")
    }
  }
}
