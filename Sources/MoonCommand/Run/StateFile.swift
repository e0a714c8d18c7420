import Glibc
import MoonTerminal
import Moonwire
import Synchronization

/// The file that the state is written to at the end.
///
/// It is opened at the beginning, so that a place where nothing can be written shows before
/// anything runs. A file is replaced as a whole, by renaming: what goes wrong leaves the old one.
final class StateFile: Sendable {
  private let path: String
  private let descriptor: Int32
  // Held while it is written, so that a signal's termination waits for it.
  private let isDone = Mutex(false)

  /// Opens the file, making it if need be; `-` is standard output.
  ///
  /// - Throws: ``StateFileError``
  init(path: String) throws(StateFileError) {
    self.path = path
    descriptor =
      path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StateFileError(path: path, code: errno) }
  }

  deinit { if path != "-" { close(descriptor) } }

  /// Writes a state as canonical JSON on one line, unless that was done before.
  ///
  /// - Throws: ``StateFileError``; a file is as it was then.
  func write(_ state: Value) throws(StateFileError) {
    let text = state.canonicalText + "\n"
    try isDone.withLock { isDone throws(StateFileError) in
      guard !isDone else { return }
      isDone = true
      var status = stat()
      guard path != "-", fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return try write(text, to: descriptor)
      }
      try replace(by: text, mode: status.st_mode & 0o7777)
    }
  }

  private func write(_ text: String, to descriptor: Int32) throws(StateFileError) {
    do throws(OutputError) {
      try Output(descriptor: descriptor).write(text)
    } catch {
      switch error {
      case .closed: if path != "-" { throw StateFileError(path: path, code: EPIPE) }
      case .failed(let code): throw StateFileError(path: path, code: code)
      }
    }
  }

  /// Writes a file beside it and puts that in its place.
  private func replace(by text: String, mode: mode_t) throws(StateFileError) {
    // A link stays, and what it leads to is replaced.
    guard let resolved = realpath(path, nil) else { throw StateFileError(path: path, code: errno) }
    defer { free(resolved) }
    let target = String(cString: resolved)
    let temporary = "\(target).\(getpid())"
    let created = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard created >= 0 else {
      // The file may be written, but its directory not: then there is no safer way than this.
      ftruncate(descriptor, 0)
      return try write(text, to: descriptor)
    }
    defer { close(created) }
    do throws(StateFileError) {
      try write(text, to: created)
      fchmod(created, mode)
      guard fsync(created) == 0, rename(temporary, target) == 0 else {
        throw StateFileError(path: path, code: errno)
      }
    } catch {
      unlink(temporary)
      throw error
    }
  }
}

/// Why the state can't be written; `code` is the system's `errno`.
struct StateFileError: Error, Equatable {
  let path: String
  let code: Int32
}
