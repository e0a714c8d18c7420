import Glibc

/// A file of history entries that several processes append to.
///
/// Each line is one entry in UTF-8, oldest first. Newlines, carriage returns and backslashes inside
/// an entry are written as `\n`, `\r` and `\\`. Each entry is appended in one write, so entries of
/// several processes don't mix.
package struct HistoryFile: Sendable, Equatable {
  /// The maximum number of entries kept: years of work, read in milliseconds.
  package static let entryCountMax = 10_000
  /// The maximum number of bytes read.
  ///
  /// Of a larger file, only the end is read.
  static let readByteCountMax = 16 << 20
  /// The number of surplus entries at which the file is rewritten.
  ///
  /// It keeps most runs from rewriting it.
  static let excessEntryCountMax = 1_000
  /// The number of attempts to open the file while another process replaces it.
  static let openCountMax = 3

  /// The path of the file.
  package let path: String
  /// The path of a file to write before it replaces this one.
  private let draft: String

  /// Refers to a file, which need not exist.
  ///
  /// Nothing is opened.
  package init(path: String, draft: String? = nil) {
    self.path = path
    self.draft = draft ?? path + ".new"
  }

  /// Returns the newest ``entryCountMax`` entries, oldest first; none if there is no file.
  ///
  /// A file that has grown much longer is rewritten.
  ///
  /// - Throws: ``HistoryError/unreadable(path:code:)``
  /// - Complexity: O(bytes of the file).
  package func entries() throws(HistoryError) -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw .unreadable(path: path, code: errno)
    }
    defer { close(descriptor) }
    let bytes = try contents(of: descriptor)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let kept = lines.suffix(Self.entryCountMax)
    if lines.count > Self.entryCountMax + Self.excessEntryCountMax {
      replace(descriptor, by: kept)
    }
    return kept.map { Self.decoded($0) }
  }

  /// Appends an entry.
  ///
  /// Missing directories are created with mode 0700, and a missing file with 0600.
  ///
  /// - Throws: ``HistoryError/unwritable(path:code:)``
  package func append(_ entry: String) throws(HistoryError) {
    let descriptor = try openForAppending()
    defer { close(descriptor) }
    var line = Self.encoded(entry) + [UInt8(ascii: "\n")]
    // A process that was killed may have left an incomplete line.
    if !endsInNewline(descriptor) { line.insert(UInt8(ascii: "\n"), at: 0) }
    try write(line, to: descriptor)
  }
}

/// The reason that a history file can't be used; `code` is the system's `errno`.
package enum HistoryError: Error, Sendable, Equatable {
  /// The file can't be read.
  case unreadable(path: String, code: Int32)
  /// The file, or a directory on its path, can't be created or written.
  case unwritable(path: String, code: Int32)
}

extension HistoryError: CustomStringConvertible {
  /// One sentence: the failed operation, the path and the system's reason.
  package var description: String { "\(headline): \(detail)" }

  /// The failed operation.
  package var headline: String {
    switch self {
    case .unreadable: "the history of the prompt can't be read"
    case .unwritable: "the history of the prompt can't be written"
    }
  }

  /// The path and the system's reason.
  package var detail: String {
    switch self {
    case .unreadable(let path, let code), .unwritable(let path, let code):
      "\(path): \(SystemText.error(code))"
    }
  }
}

// MARK: - Encoding

extension HistoryFile {
  private static func encoded(_ entry: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in entry.utf8 {
      switch byte {
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  private static func decoded(_ line: some Collection<UInt8>) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    // A NUL would end the entry in the C library.
    for byte in line where byte != 0 {
      if isEscaped {
        isEscaped = false
        switch byte {
        case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
        default: bytes.append(byte)
        }
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

// MARK: - Files

extension HistoryFile {
  private func status(of descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  private func isRegular(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG
  }

  private func contents(of descriptor: Int32) throws(HistoryError) -> [UInt8] {
    guard let status = status(of: descriptor) else {
      throw .unreadable(path: path, code: errno)
    }
    // A device such as /dev/null keeps nothing.
    guard isRegular(status) else {
      if status.st_mode & S_IFMT == S_IFDIR { throw .unreadable(path: path, code: EISDIR) }
      return []
    }
    let count = min(Int(status.st_size), Self.readByteCountMax)
    let start = Int(status.st_size) - count
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filledCount in
      while filledCount < count {
        let position = off_t(start + filledCount)
        let step = pread(
          descriptor, buffer.baseAddress.map { $0 + filledCount }, count - filledCount, position)
        if step < 0 && errno == EINTR { continue }
        if step < 0 { code = errno }
        if step <= 0 { return }
        filledCount += step
      }
    }
    if code != 0 { throw .unreadable(path: path, code: code) }
    guard start > 0 else { return bytes }
    // The first line may be incomplete.
    return Array(bytes.drop { $0 != UInt8(ascii: "\n") })
  }

  private func endsInNewline(_ descriptor: Int32) -> Bool {
    guard let status = status(of: descriptor), isRegular(status), status.st_size > 0 else {
      return true
    }
    var last: UInt8 = 0
    return pread(descriptor, &last, 1, status.st_size - 1) != 1 || last == UInt8(ascii: "\n")
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(HistoryError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .unwritable(path: path, code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Opens the file that is at the path now, not one that another process has just replaced.
  private func openForAppending() throws(HistoryError) -> Int32 {
    makeDirectories()
    for attempt in 1...Self.openCountMax {
      let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
      let descriptor = open(path, flags, 0o600)
      guard descriptor >= 0 else { throw .unwritable(path: path, code: errno) }
      // Doesn't wait, since a process that was stopped while it held the lock must not stop this
      // one.
      flock(descriptor, LOCK_SH | LOCK_NB)
      var named = stat()
      if let opened = status(of: descriptor), stat(path, &named) == 0,
        opened.st_ino == named.st_ino || attempt == Self.openCountMax
      {
        // The existing file may be readable by others.
        if isRegular(opened), opened.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        return descriptor
      }
      close(descriptor)
    }
    throw .unwritable(path: path, code: ENOENT)
  }

  /// Creates missing directories.
  ///
  /// A failure shows when the file is opened.
  private func makeDirectories() {
    var end = path.startIndex
    while let slash = path[end...].dropFirst().firstIndex(of: "/") {
      mkdir(String(path[..<slash]), 0o700)
      end = slash
    }
  }

  /// Replaces the open file by one with `lines`, unless another process is writing it.
  ///
  /// A failure shows when an entry is appended, and is reported then.
  private func replace(_ descriptor: Int32, by lines: ArraySlice<ArraySlice<UInt8>>) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    let created = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard created >= 0 else { return }
    defer { close(created) }
    do throws(HistoryError) {
      try write(
        Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")], to: created)
      rename(draft, path)
    } catch {
      unlink(draft)
    }
  }
}
