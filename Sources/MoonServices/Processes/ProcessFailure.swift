import Glibc
import Moonwire
import Subprocess
import SystemPackage

/// The reason that a program can't be run or ended badly.
enum ProcessFailure: ServiceFailure, Equatable {
  case noProgram
  case nulByte
  case badVariable(String)
  case notFound(String)
  case notExecutable(String)
  case noDirectory(String)
  case argumentsTooLong
  case tooMany(max: Int)
  case timedOut(String, seconds: Double)
  case outputTooLarge(String, max: Int)
  case lineTooLong(String, max: Int)
  case exited(String, status: Int, errors: String)
  case ended(String, signal: String, errors: String)
  case system(String, reason: String)

  /// Translates an error of the library.
  init(_ error: SubprocessError, _ program: String, directory: String?) {
    self =
      switch (error.code, error.underlyingError?.rawValue) {
      case (.executableNotFound, _): .notFound(program)
      case (.failedToChangeWorkingDirectory, _): .noDirectory(directory ?? ".")
      case (.spawnFailed, EACCES), (.spawnFailed, ENOEXEC): .notExecutable(program)
      case (.spawnFailed, ENOENT): .notFound(program)
      case (.spawnFailed, E2BIG): .argumentsTooLong
      default: .system(program, reason: error.description)
      }
  }

  /// A word for scripts to compare.
  var code: String {
    switch self {
    case .noProgram, .nulByte, .badVariable: "bad_argument"
    case .notFound: "not_found"
    case .notExecutable: "not_executable"
    case .noDirectory: "no_directory"
    case .argumentsTooLong: "arguments_too_long"
    case .tooMany: "too_many"
    case .timedOut: "timed_out"
    case .outputTooLarge, .lineTooLong: "output_too_large"
    case .exited: "exit_status"
    case .ended: "signal"
    case .system: "failed"
    }
  }

  /// One phrase.
  var description: String {
    switch self {
    case .noProgram: "'command' is empty: write { \"git\", \"status\" }"
    case .nulByte: "'command' has a NUL byte in it"
    case .badVariable(let name):
      "'environment' can't have '\(name)': names have no '=', and values are strings, or false to "
        + "leave one out"
    case .notFound(let program): "there is no program '\(program)'"
    case .notExecutable(let program):
      "'\(program)' can't be run: it isn't a program, or isn't permitted"
    case .noDirectory(let path): "there is no directory '\(path)' to run in"
    case .argumentsTooLong: "the arguments are longer than the system takes"
    case .tooMany(let max): "\(max) processes of the module are already running"
    case .timedOut(let program, let seconds):
      "'\(program)' ran for more than \(seconds) s and was ended"
    case .outputTooLarge(let program, let max):
      "'\(program)' wrote more than \(max) bytes and was ended"
    case .lineTooLong(let program, let max):
      "'\(program)' wrote a line of more than \(max) bytes and was ended"
    case .exited(let program, let status, let errors):
      "'\(program)' ended with status \(status)" + Self.appendix(errors)
    case .ended(let program, let signal, let errors):
      "'\(program)' was ended by \(signal)" + Self.appendix(errors)
    case .system(let program, let reason): "'\(program)': \(reason)"
    }
  }

  private static func appendix(_ errors: String) -> String {
    errors.isEmpty ? "" : ": " + errors
  }
}
