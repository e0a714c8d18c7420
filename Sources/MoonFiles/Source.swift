import Glibc

extension ScriptDirectory {
  /// The contents of a file when it was read.
  package struct Source: Hashable, Sendable {
    /// The file's metadata, taken before the contents were read.
    package let entry: Entry
    /// All bytes of the file.
    package let bytes: [UInt8]
    /// The hash of the bytes, which detects saves without changes.
    package let contentHash: ContentHash

    init(entry: Entry, bytes: [UInt8]) throws(SystemError) {
      self.entry = entry
      self.bytes = bytes
      contentHash = try ContentHash(of: bytes)
    }
  }
}

/// A file to be read.
struct SourceFile {
  private let path: String
  private let unresolved: PathBytes
  private let confines: AllowedDirectories

  /// `path` is relative to the root.
  init(_ path: String, within confines: AllowedDirectories) {
    self.path = path
    self.confines = confines
    unresolved = confines.root.appending(path)
  }

  func read() throws(FilesError) -> ScriptDirectory.Source {
    let file = try translatingErrors { () throws(SystemError) in
      try PathBytes(resolving: unresolved)
    }
    try requireInside(file)
    // Checked first, because opening a FIFO or a device can have side effects.
    try requireReadable(
      try translatingErrors { () throws(SystemError) in try FileStatus(at: file) })
    let descriptor = try translatingErrors { () throws(SystemError) in try Self.open(file) }
    defer { close(descriptor) }
    let status = try translatingErrors { () throws(SystemError) in
      try FileStatus(descriptor: descriptor)
    }
    try requireReadable(status)
    // A directory of the path may have become a symbolic link since it was resolved, so the
    // descriptor's own path is checked. Without /proc, the check above has to suffice.
    if let opened = try? PathBytes(readingLink: PathBytes("/proc/self/fd/\(descriptor)")) {
      try requireInside(opened)
    }
    let entry = ScriptDirectory.Entry(
      path: path, size: status.size, modificationTime: status.modificationTime,
      inode: status.identity.inode)
    let contents = try bytes(from: descriptor, status.size)
    return try translatingErrors { () throws(SystemError) in
      try ScriptDirectory.Source(entry: entry, bytes: contents)
    }
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

  /// Reads to the end.
  ///
  /// The file may be growing, so the size may differ from `expected`.
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
