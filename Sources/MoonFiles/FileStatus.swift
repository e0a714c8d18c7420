import Glibc

/// What stat(2) says about a file, as far as it matters here.
struct FileStatus: Sendable {
  let kind: FileKind
  let size: Int
  /// Since 1970, in nanoseconds.
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
    size = Int(info.st_size)
    modificationTime = Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    identity = FileIdentity(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
    linkCount = Int(info.st_nlink)
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
    let age = Self.now - status.modificationTime
    identity = status.identity
    size = isDirectory ? 0 : status.size
    modificationTime = isDirectory ? 0 : status.modificationTime
    doubted = !isDirectory && (-Self.doubtfulAge...Self.doubtfulAge).contains(age)
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
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
