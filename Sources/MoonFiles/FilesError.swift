import Glibc

/// An error about the script directory as a whole, or about one requested file.
public enum FilesError: Error, Hashable, Sendable {
  /// Nothing is at the root's path, or a part of that path is not a directory.
  case rootMissing(path: String)
  /// The root's path is not that of a directory.
  case rootNotDirectory(path: String)
  /// The root exists but can't be resolved or listed.
  case rootUnreadable(path: String, cause: SystemError)
  /// The relative path is not allowed.
  ///
  /// The disk was not accessed.
  case refusedPath(path: String, fault: PathFault)
  /// The path leads out of the root through a symbolic link, to `target`.
  case leavesRoot(path: String, target: String)
  /// There is no such file, or the symbolic link at the path is dangling.
  case notFound(path: String)
  /// The path is not that of a regular file.
  case notRegularFile(path: String, kind: FileKind)
  /// The file has more bytes than a script may have; see <doc:Limits>.
  case tooLarge(path: String, size: Int, limit: Int)
  /// The file exists but can't be read.
  case unreadable(path: String, cause: SystemError)
  /// A thread or descriptor for a watcher couldn't be created.
  case watcherUnavailable(path: String, cause: SystemError)
}

/// The reason that a relative path is refused without accessing the disk.
public enum PathFault: Hashable, Sendable {
  /// The path has no characters.
  case empty
  /// The path begins with a slash.
  case absolute
  /// The path has a component `..`.
  case parentComponent
  /// The path has a component `.` or an empty one, so it is not the only path of its file.
  case notNormalized
  /// The path has a NUL byte, at which the system would cut it off.
  case nulByte
}

/// The kind of a file.
public enum FileKind: Hashable, Sendable {
  /// A regular file.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, if links are not followed.
  case symbolicLink
  /// A FIFO, a socket or a device.
  case special
}

/// An error number of the operating system.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number, as in errno(3).
  public let code: Int32

  /// Wraps an error number.
  public init(code: Int32) {
    self.code = code
  }

  /// The system's own text for the number, such as `Permission denied`.
  public var description: String {
    // glibc's strerror has been thread-safe since 2.32: its buffer belongs to the thread.
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  /// Whether the error means that there is nothing at the path.
  var meansAbsent: Bool { code == ENOENT || code == ENOTDIR }

  /// The calling thread's latest error.
  ///
  /// Read it directly after the failed call.
  package static var latest: Self { Self(code: errno) }
}

extension FilesError: CustomStringConvertible {
  /// One sentence with the path and the reason.
  public var description: String {
    switch self {
    case .rootMissing(let path): "there is no directory \(path)"
    case .rootNotDirectory(let path): "\(path) isn't a directory"
    case .rootUnreadable(let path, let cause): "\(path) can't be read: \(cause)"
    case .refusedPath(let path, let fault): "the path '\(path)' \(fault)"
    case .leavesRoot(let path, let target):
      "\(path) leads out of the script directory, to \(target)"
    case .notFound(let path): "there is no file \(path)"
    case .notRegularFile(let path, let kind): "\(path) is \(kind), not a file"
    case .tooLarge(let path, let size, let limit):
      "\(path) has \(size) bytes, \(limit) are allowed"
    case .unreadable(let path, let cause): "\(path) can't be read: \(cause)"
    case .watcherUnavailable(let path, let cause): "\(path) can't be watched: \(cause)"
    }
  }
}

extension PathFault: CustomStringConvertible {
  /// A phrase that follows the path in a sentence: `begins with a slash`.
  public var description: String {
    switch self {
    case .empty: "is empty"
    case .absolute: "begins with a slash"
    case .parentComponent: "has a '..' in it"
    case .notNormalized: "has an empty part or a '.' in it"
    case .nulByte: "has a NUL byte in it"
    }
  }
}

extension FileKind: CustomStringConvertible {
  /// The kind with its article: `a directory`.
  public var description: String {
    switch self {
    case .regular: "a file"
    case .directory: "a directory"
    case .symbolicLink: "a symbolic link"
    case .special: "a device, a pipe or a socket"
    }
  }
}
