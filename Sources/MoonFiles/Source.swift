import Glibc

extension ScriptDirectory {
  /// What was in a file when it was read.
  public struct Source: Hashable, Sendable {
    /// The file that was read, as the file system described it before the reading.
    public let entry: Entry
    /// All of its bytes, none left out.
    public let bytes: [UInt8]
    /// The FNV-1a hash of the bytes, to notice a save that changed nothing; no protection against
    /// somebody who wants two texts to be the same.
    public let contentHash: UInt64

    init(entry: Entry, bytes: [UInt8]) {
      self.entry = entry
      self.bytes = bytes
      contentHash = Self.hash(bytes)
    }

    /// 64-bit FNV-1a, as in draft-eastlake-fnv.
    ///
    /// - Complexity: O(n), one multiplication per byte.
    static func hash(_ bytes: [UInt8]) -> UInt64 {
      bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
  }
}

/// One file on its way to being read.
struct SourceFile {
  private let path: String
  private let unresolved: PathBytes
  private let confines: Confines

  /// `path` is relative to the root.
  init(_ path: String, within confines: Confines) {
    self.path = path
    self.confines = confines
    unresolved = confines.root.appending(path)
  }

  func read() throws(FilesError) -> ScriptDirectory.Source {
    let file = try translatingErrors { () throws(SystemError) in
      try PathBytes(resolving: unresolved)
    }
    try requireInside(file)
    // Opening a FIFO or a device can do things; so it is looked at first.
    try requireReadable(
      try translatingErrors { () throws(SystemError) in try FileStatus(at: file) })
    let descriptor = try translatingErrors { () throws(SystemError) in try Self.open(file) }
    defer { close(descriptor) }
    let status = try translatingErrors { () throws(SystemError) in
      try FileStatus(descriptor: descriptor)
    }
    try requireReadable(status)
    // A directory on the way may have become a symbolic link after it was resolved; what counts is
    // where the descriptor leads. Without /proc the check above has to do.
    if let opened = try? PathBytes(readingLink: PathBytes("/proc/self/fd/\(descriptor)")) {
      try requireInside(opened)
    }
    let entry = ScriptDirectory.Entry(
      path: path, size: status.size, modificationTime: status.modificationTime,
      inode: status.identity.inode)
    return ScriptDirectory.Source(entry: entry, bytes: try bytes(from: descriptor, status.size))
  }

  private static func open(_ file: PathBytes) throws(SystemError) -> Int32 {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = Glibc.open(file.characters, flags)
    guard descriptor >= 0 else { throw .latest }
    return descriptor
  }

  private func translatingErrors<Result>(
    _ call: () throws(SystemError) -> Result
  ) throws(FilesError) -> Result {
    do {
      return try call()
    } catch {
      throw error.meansAbsent ? .notFound(path: path) : .unreadable(path: path, cause: error)
    }
  }

  private func requireInside(_ location: PathBytes) throws(FilesError) {
    guard confines.contains(location) else {
      throw .leavesRoot(path: path, target: location.text)
    }
  }

  private func requireReadable(_ status: FileStatus) throws(FilesError) {
    guard status.kind == .regular else { throw .notRegularFile(path: path, kind: status.kind) }
    let limit = ScriptDirectory.fileSizeMax
    guard status.size <= limit else {
      throw .tooLarge(path: path, size: status.size, limit: limit)
    }
  }

  /// Reads to the end, which may lie elsewhere than `expected`: the file may be growing.
  private func bytes(from descriptor: Int32, _ expected: Int) throws(FilesError) -> [UInt8] {
    let limit = ScriptDirectory.fileSizeMax
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(expected, limit) + 1)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw .unreadable(path: path, cause: .latest)
      }
    }
    throw .tooLarge(path: path, size: bytes.count, limit: limit)
  }
}
