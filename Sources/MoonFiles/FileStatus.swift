import Glibc

/// What stat(2) says about a file, as far as it matters here.
struct FileStatus: Sendable {
  let kind: FileKind
  let size: Int
  /// Since 1970, in nanoseconds; see ``nanoseconds(of:)``.
  let modificationTime: Int64
  let identity: FileIdentity
  let linkCount: Int

  /// The status of what `path` leads to, through symbolic links.
  init(following path: PathBytes) throws(SystemError) {
    var info = stat()
    guard stat(path.characters, &info) == 0 else { throw .latest }
    self.init(info)
  }

  /// The status of what is at `path` itself, be it a symbolic link.
  init(at path: PathBytes) throws(SystemError) {
    var info = stat()
    guard lstat(path.characters, &info) == 0 else { throw .latest }
    self.init(info)
  }

  init(descriptor: Int32) throws(SystemError) {
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
    // A file system in user space may report any numbers, negative ones included.
    size = max(0, Int(info.st_size))
    modificationTime = Self.nanoseconds(of: info.st_mtim)
    identity = FileIdentity(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
    linkCount = Int(clamping: info.st_nlink)
  }

  /// A time in nanoseconds since 1970.
  ///
  /// 64 bits hold the years 1678 to 2261; a time outside of them is the nearest within.
  static func nanoseconds(of time: timespec) -> Int64 {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    guard overflow || carry else { return sum }
    return time.tv_sec < 0 ? .min : .max
  }
}

/// What tells one file of the machine from another, whatever their names.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

/// Of two stamps of one path, unequal ones mean that what is there has changed.
struct FileStamp: Hashable, Sendable {
  /// How young a file may be for its stamp to be doubted, in nanoseconds.
  ///
  /// A file system's clock ticks every 1 to
  /// 10 ms: two saves of the same size within one tick have the same stamp.
  static let doubtfulAge: Int64 = 20_000_000

  let identity: FileIdentity
  let size: Int
  let modificationTime: Int64
  /// Doubted stamps are unequal to the next look's, which reports the file once more: too often is
  /// harmless, too seldom is not.
  let doubted: Bool

  /// A directory's stamp is its identity alone: what is inside has stamps of its own.
  init(_ status: FileStatus) {
    let isDirectory = status.kind == .directory
    identity = status.identity
    size = isDirectory ? 0 : status.size
    modificationTime = isDirectory ? 0 : status.modificationTime
    doubted = !isDirectory && Self.isDoubtful(status.modificationTime, at: Self.now)
  }

  /// Whether a file that was changed at `time` may be changed again within one tick of the clock.
  static func isDoubtful(_ time: Int64, at now: Int64) -> Bool {
    let (age, isFar) = now.subtractingReportingOverflow(time)
    return !isFar && (-doubtfulAge...doubtfulAge).contains(age)
  }

  /// The stamp of what can't be used: never doubted, and unequal to that of the same file in use.
  init(unusable status: FileStatus?) {
    identity = status?.identity ?? FileIdentity(device: 0, inode: 0)
    size = -1
    modificationTime = status?.modificationTime ?? 0
    doubted = false
  }

  /// The clock that file systems stamp with, in nanoseconds since 1970.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return FileStatus.nanoseconds(of: time)
  }
}
