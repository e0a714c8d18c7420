import Glibc
import MoonTerminal
import Moonwire

/// The file that the state is written to at the end.
///
/// It is opened at the beginning, so that a place where nothing can be written shows before
/// anything runs, and emptied when there is something to write.
struct StateFile {
  private let path: String
  private let descriptor: Int32

  /// Opens the file, making it if need be; `-` is standard output.
  ///
  /// - Throws: ``StateFileError``
  init(path: String) throws(StateFileError) {
    self.path = path
    descriptor =
      path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StateFileError(path: path, code: errno) }
  }

  /// Writes a state as canonical JSON on one line.
  ///
  /// - Throws: ``StateFileError``
  consuming func write(_ state: Value) throws(StateFileError) {
    if path != "-" { ftruncate(descriptor, 0) }
    defer { if path != "-" { close(descriptor) } }
    do throws(OutputError) {
      try Output(descriptor: descriptor).write(state.canonicalText + "\n")
    } catch {
      switch error {
      case .closed: if path != "-" { throw StateFileError(path: path, code: EPIPE) }
      case .failed(let code): throw StateFileError(path: path, code: code)
      }
    }
  }
}

/// Why the state can't be written; `code` is the system's `errno`.
struct StateFileError: Error, Equatable {
  let path: String
  let code: Int32
}
