import Glibc

/// The part of a file's stat(2) that matters here.
package struct FileStatus: Sendable {
  package let kind: FileKind
  package let size: Int
  /// Since 1970, in nanoseconds; see ``nanoseconds(of:)``.
  package let modificationTime: Int64
  /// The permission bits, as in chmod(2).
  package let permissions: UInt32
  package let linkCount: Int
  package let identity: FileIdentity

  /// Reads the status of the file at `path`, following symbolic links.
  package init(following path: PathBytes) throws(SystemError) {
    var info = stat()
    guard stat(path.characters, &info) == 0 else { throw .latest }
    self.init(info)
  }

  /// Reads the status of the file at `path` itself, without following a symbolic link.
  package init(at path: PathBytes) throws(SystemError) {
    var info = stat()
    guard lstat(path.characters, &info) == 0 else { throw .latest }
    self.init(info)
  }

  /// Reads the status of a name in an open directory, without following a symbolic link.
  package init(of name: PathBytes, in directory: Int32) throws(SystemError) {
    var info = stat()
    guard fstatat(directory, name.characters, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw .latest
    }
    self.init(info)
  }

  package init(descriptor: Int32) throws(SystemError) {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw .latest }
    self.init(info)
  }

  private init(_ info: stat) {
    kind =
      switch info.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .special
      }
    // A file system in user space may report any number, even a negative one.
    size = max(0, Int(info.st_size))
    modificationTime = Self.nanoseconds(of: info.st_mtim)
    identity = FileIdentity(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
    linkCount = Int(clamping: info.st_nlink)
    permissions = info.st_mode & 0o7777
  }

  /// Returns a time in nanoseconds since 1970.
  ///
  /// 64 bits hold the years 1678 to 2261. Times outside that range are clamped.
  static func nanoseconds(of time: timespec) -> Int64 {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    guard overflow || carry else { return sum }
    return time.tv_sec < 0 ? .min : .max
  }
}

/// Identifies a file on this machine, whatever its name.
package struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

/// Two unequal stamps of the same path mean that the file there has changed.
struct FileStamp: Hashable, Sendable {
  /// The age in nanoseconds up to which a file's stamp is doubtful.
  ///
  /// A file system's clock ticks every 1 to 10 ms, so two saves of the same size within one tick
  /// have the same stamp.
  static let doubtfulAge: Int64 = 20_000_000

  let identity: FileIdentity
  let size: Int
  let modificationTime: Int64
  /// Whether the stamp is doubtful.
  ///
  /// It then differs from the next one, so the file is reported once more: a redundant report is
  /// harmless, a missing one isn't.
  let doubted: Bool

  /// Makes the stamp of a file or directory.
  ///
  /// The stamp of a directory is its identity alone, since its contents have their own stamps.
  init(_ status: FileStatus) {
    let isDirectory = status.kind == .directory
    identity = status.identity
    size = isDirectory ? 0 : status.size
    modificationTime = isDirectory ? 0 : status.modificationTime
    doubted = !isDirectory && Self.isDoubtful(status.modificationTime, at: Self.now)
  }

  /// Returns whether a file that was changed at `time` may be changed again within one tick of the
  /// clock.
  static func isDoubtful(_ time: Int64, at now: Int64) -> Bool {
    let (age, isFar) = now.subtractingReportingOverflow(time)
    return !isFar && (-doubtfulAge...doubtfulAge).contains(age)
  }

  /// Makes the stamp of a file that can't be used.
  ///
  /// It is never doubtful, and differs from the stamp of the same file in use.
  init(unusable status: FileStatus?) {
    identity = status?.identity ?? FileIdentity(device: 0, inode: 0)
    size = -1
    modificationTime = status?.modificationTime ?? 0
    doubted = false
  }

  /// The clock of file system timestamps, in nanoseconds since 1970.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return FileStatus.nanoseconds(of: time)
  }
}
