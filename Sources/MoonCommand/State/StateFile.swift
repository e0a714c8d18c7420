import Glibc
import MoonFiles
import MoonPrompt
import MoonTerminal
import Moonwire
import Synchronization

/// The destination of the state at the end of a run: a file, a pipe or device, or standard output.
///
/// The initializer checks whether it can be written, before anything runs and without creating or
/// changing anything. A file is replaced atomically: the state is written to a temporary file next
/// to it, which is then renamed. If that fails or the program ends, the earlier file is unchanged.
final class StateFile: Sendable {
  /// The kind of destination.
  private enum Target {
    case standardOutput
    /// An open pipe or device.
    case stream(Int32)
    /// A file that exists or will be created, with all links resolved.
    case file(String)
  }

  private let path: String
  private let target: Target
  // Held while the state is written, so that a second writer waits and then does nothing.
  private let isWritten = Mutex(false)
  /// The temporary file that is being written.
  private let temporary = Mutex<String?>(nil)

  /// Checks the destination at a path; `-` is standard output.
  ///
  /// - Throws: ``StateFileError`` if the state can't be written there.
  init(path: String) throws(StateFileError) {
    self.path = path
    target = try Self.target(of: path)
  }

  deinit { if case .stream(let descriptor) = target { close(descriptor) } }

  /// Whether it is standard output, which then holds nothing but the state and records.
  var isStandardOutput: Bool { if case .standardOutput = target { true } else { false } }

  /// Returns whether the path leads to the same file as another.
  func isSame(as other: String) -> Bool {
    guard case .file(let file) = target else { return false }
    var (own, others) = (stat(), stat())
    return stat(file, &own) == 0 && stat(other, &others) == 0 && own.st_dev == others.st_dev
      && own.st_ino == others.st_ino
  }

  /// Writes a state, unless one has already been written.
  ///
  /// The format applies to standard output; elsewhere the state is always plain.
  ///
  /// - Returns: The slices that couldn't be written; the others were.
  /// - Throws: ``StateFileError`` if nothing could be written; a file is then unchanged.
  func write(
    _ state: Value, format: OutputFormat, keepingEarlier earlier: EarlierFile = .replaced
  ) throws(StateFileError) -> [StateText.Omission] {
    try isWritten.withLock { isWritten throws(StateFileError) in
      guard !isWritten else { return [] }
      isWritten = true
      switch target {
      case .standardOutput:
        let text = StateText(state, in: format == .json ? .record : .line)
        return try write(text, to: STDOUT_FILENO)
      case .stream(let descriptor):
        return try write(StateText(state, in: .line), to: descriptor)
      case .file(let file):
        return try replace(file, by: StateText(state, in: .file), earlier)
      }
    }
  }

  /// The effect on an existing file.
  enum EarlierFile {
    case replaced
    /// The file is kept under another name, next to the new one.
    case kept
  }

  /// Removes the temporary file of an unfinished write when the program ends.
  func abandon() {
    temporary.withLock { temporary in
      if let temporary { unlink(temporary) }
    }
  }
}

// MARK: - Checking

extension StateFile {
  private static func target(of path: String) throws(StateFileError) -> Target {
    if let number = descriptorNumber(of: path) {
      if number == STDOUT_FILENO { return .standardOutput }
      let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw .system(path: path, code: errno) }
      return .stream(copy)
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw .system(path: path, code: errno) }
      return .file(try place(ofNew: path))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(try place(of: path))
    case S_IFIFO, S_IFCHR: return .stream(try stream(path))
    case S_IFDIR: throw .system(path: path, code: EISDIR)
    default: throw .notWritable(path: path)
    }
  }

  /// Returns the descriptor that a path denotes, such as 1 for `-` and `/dev/stdout`.
  ///
  /// Opening such a path again would overwrite what has been written to the descriptor.
  private static func descriptorNumber(of path: String) -> Int32? {
    switch path {
    case "-", "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
      return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }
  }

  /// Opens a pipe with a reader, or a device.
  private static func stream(_ path: String) throws(StateFileError) -> Int32 {
    // Doesn't wait: a pipe without a reader is an error.
    let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    if descriptor < 0, errno == ENXIO { throw .noReader(path: path) }
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    return descriptor
  }

  /// Returns the resolved path of an existing file, if it can be replaced.
  private static func place(of path: String) throws(StateFileError) -> String {
    guard access(path, W_OK) == 0, let resolved = realpath(path, nil) else {
      throw .system(path: path, code: errno)
    }
    defer { free(resolved) }
    let file = String(cString: resolved)
    try checkDirectory(of: file, for: path)
    return file
  }

  /// Returns the resolved path of a file to be created; a link may lead to it.
  private static func place(ofNew path: String) throws(StateFileError) -> String {
    var file = path
    for _ in 0..<linkCountMax {
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(file, &bytes, bytes.count - 1)
      guard count > 0 else {
        try checkDirectory(of: file, for: path)
        return file
      }
      let link = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      file = link.hasPrefix("/") ? link : directory(of: file) + "/" + link
    }
    throw .system(path: path, code: ELOOP)
  }

  /// The maximum number of links followed, as in the kernel.
  private static let linkCountMax = 40

  private static func directory(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  private static func checkDirectory(
    of file: String, for path: String
  ) throws(StateFileError) {
    guard !file.isEmpty, !file.hasSuffix("/") else { throw .system(path: path, code: ENOENT) }
    guard access(directory(of: file), W_OK | X_OK) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .system(path: path, code: errno) : .fixedDirectory(path: path, code: errno)
    }
  }
}

// MARK: - Writing

extension StateFile {
  private func write(
    _ text: StateText, to descriptor: Int32
  ) throws(StateFileError) -> [StateText.Omission] {
    do throws(OutputError) {
      return try text.write(to: Output(descriptor: descriptor))
    } catch {
      switch error {
      // A reader of standard output may stop early.
      case .closed where isStandardOutput: return []
      case .closed: throw .system(path: path, code: EPIPE)
      case .failed(let code): throw .system(path: path, code: code)
      }
    }
  }

  /// Writes a temporary file and renames it to the path.
  private func replace(
    _ file: String, by text: StateText, _ earlier: EarlierFile
  ) throws(StateFileError) -> [StateText.Omission] {
    var status = stat()
    let isThere = stat(file, &status) == 0
    let (name, descriptor) = try makeTemporary(beside: file, mode: isThere ? 0o600 : 0o644)
    defer {
      close(descriptor)
      temporary.withLock { $0 = nil }
    }
    let omissions: [StateText.Omission]
    do throws(StateFileError) {
      omissions = try write(text, to: descriptor)
      if isThere {
        // Only root can set another owner; otherwise the file belongs to the current user.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        fchmod(descriptor, status.st_mode & 0o7777)
      }
      guard fsync(descriptor) == 0 else { throw .system(path: path, code: errno) }
      if isThere, earlier == .kept { try keep(file) }
    } catch {
      unlink(name)
      throw error
    }
    guard rename(name, file) == 0 else {
      let code = errno
      // The state is complete, but under another name, which nothing clears.
      let other = "\(file).\(getpid())"
      let isRenamed = rename(name, other) == 0
      throw .misplaced(path: path, temporary: isRenamed ? other : name, code: code)
    }
    Self.sync(Self.directory(of: file))
    return omissions
  }

  private func makeTemporary(
    beside file: String, mode: mode_t
  ) throws(StateFileError) -> (name: String, descriptor: Int32) {
    DraftName.clear(beside: file)
    let name = DraftName.beside(file)
    let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    temporary.withLock { $0 = name }
    return (name, descriptor)
  }

  /// The maximum number of names tried for an earlier file.
  private static let nameCountMax = 100

  /// Adds a second name for a file, which keeps the content when the first name is replaced.
  private func keep(_ file: String) throws(StateFileError) {
    for number in 1...Self.nameCountMax {
      if link(file, "\(file).before" + (number == 1 ? "" : "\(number)")) == 0 { return }
      guard errno == EEXIST else { break }
    }
    throw .system(path: path, code: errno)
  }

  /// Makes a renaming durable, as far as the system can.
  private static func sync(_ directory: String) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// The reason that the state can't be written; `code` is the system's `errno`.
enum StateFileError: Error, Equatable {
  /// The system refuses the operation.
  case system(path: String, code: Int32)
  /// No file can be created in the directory, so the file can't be replaced atomically.
  case fixedDirectory(path: String, code: Int32)
  /// The path is that of a pipe without a reader.
  case noReader(path: String)
  /// The path is that of a socket or a disk.
  case notWritable(path: String)
  /// The state is in a temporary file, which can't be renamed.
  case misplaced(path: String, temporary: String, code: Int32)
}

extension StateFileError {
  /// The report for people.
  var report: Report {
    switch self {
    case .system(let path, let code):
      let room = [ENOSPC, EDQUOT, EFBIG].contains(code) ? "make room there, or name" : "name"
      return Self.report(
        path, "\(SystemError(code: code))", .init("help", "\(room) another place: --state FILE"))
    case .fixedDirectory(let path, let code):
      return Self.report(
        path, "its directory allows no new files: \(SystemError(code: code))",
        .init("help", "a file is replaced as a whole; name one in another directory, or - to pipe"))
    case .noReader(let path):
      return Self.report(
        path, "nothing reads from the pipe",
        .init("help", "start its reader first, or name a file"))
    case .notWritable(let path):
      return Self.report(
        path, "it isn't a file, a pipe or a terminal", .init("help", "name a file"))
    case .misplaced(let path, let temporary, let code):
      return Self.report(
        path, "\(SystemError(code: code))", .init("meanwhile", "it is in \(temporary)"))
    }
  }

  private static func report(_ path: String, _ detail: String, _ row: Report.Row) -> Report {
    Report("the state can't be written to \(path)", detail: detail, rows: [row])
  }
}
