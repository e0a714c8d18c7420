import Glibc
import MoonPrompt
import Moonwire

/// The file with the state to restore, in the form that `--state` writes.
enum RestoreFile {
  /// The contents of a state file.
  struct Contents: Sendable {
    /// The state, without the slices that couldn't be read.
    let state: Value
    let unreadable: [StateReader.UnreadableSlice]
  }

  /// The time after which a silent pipe or device counts as empty.
  static let silenceMax: Duration = .seconds(10)
  /// The maximum number of bytes read.
  static let byteCountMax = 1 << 30

  /// The number of bytes in one read.
  private static let chunkByteCount = 1 << 20

  /// Reads the state.
  ///
  /// - Throws: ``RestoreFileError``
  static func contents(
    at path: String, silenceMax: Duration = silenceMax
  ) throws(RestoreFileError) -> Contents {
    let bytes = try bytes(at: path, silenceMax)
    do throws(ParseError) {
      return try StateReader.contents(of: bytes)
    } catch {
      throw .notJSON(path: path, error)
    }
  }

  /// Returns the bytes of a file; slightly more than ``byteCountMax`` if the file is longer.
  private static func bytes(
    at path: String, _ silenceMax: Duration
  ) throws(RestoreFileError) -> [UInt8] {
    // Doesn't wait for a writer to open a pipe.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    let isPipe = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: chunkByteCount)
    while bytes.count <= byteCountMax {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes += chunk[..<count]
        continue
      }
      // A pipe without a writer reads as ended.
      if count == 0, !isPipe || !bytes.isEmpty { break }
      if count < 0, errno == EINTR { continue }
      guard count == 0 || errno == EAGAIN else { throw .unreadable(path: path, code: errno) }
      guard waitForBytes(descriptor, silenceMax) else { throw .silent(path: path, silenceMax) }
    }
    return bytes
  }

  /// Waits until there is something to read, or until the writer has closed the pipe.
  private static func waitForBytes(_ descriptor: Int32, _ time: Duration) -> Bool {
    let deadline = ContinuousClock.now + time
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return false }
      var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&source, 1, Int32(left / .milliseconds(1)) + 1) > 0 { return true }
    }
  }
}

/// The reason that the state in a file can't be restored.
enum RestoreFileError: Error, Equatable {
  /// The file can't be read; `code` is the system's `errno`.
  case unreadable(path: String, code: Int32)
  /// A pipe or a device was silent for this long.
  case silent(path: String, Duration)
  /// The file doesn't hold JSON.
  case notJSON(path: String, ParseError)
}

extension RestoreFileError {
  /// The report for people.
  var report: Report {
    switch self {
    case .unreadable(let path, let code):
      Report("the state can't be read from \(path)", detail: "\(SystemError(code: code))").adding(
        code == ENOENT ? .init("help", "to start fresh: --restore-if-there \(path)") : nil)
    case .silent(let path, let duration):
      Report(
        "the state can't be read from \(path)",
        detail: "nothing has come from it for \(Wording.time(duration))",
        rows: [.init("help", "something must write into it, or name a file")])
    case .notJSON(let path, let error):
      Report(
        "the state in \(path) isn't JSON", at: SourcePlace(file: path, line: error.line),
        detail: "column \(error.column): \(error.reason)", rows: [RestoreError.fileRow])
    }
  }
}
