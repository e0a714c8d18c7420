import MoonLink
import MoonPrompt
import MoonStage
import Moonwire

/// The reason that a run can't start.
enum RunError: Error {
  case restoreFile(RestoreFileError)
  case stateFile(StateFileError)
  case host(HostError)
  case files(FilesError)
  /// Some modules have problems, and the run is strict.
  case problems(Int)
  case restore(RestoreError, path: String)
  /// The journal can't be used.
  case journal(JournalError)
  /// It isn't known which journal the directory was last run with.
  case noLastJournal(directory: String)
  /// The host can't serve other programs.
  case link(LinkError)
  /// The terminal can't show a stage.
  case stage(StageTerminal.Problem)
  /// The file of settings can't be read.
  case settings(Report)

  /// The report for people.
  var report: Report {
    switch self {
    case .restoreFile(let error): error.report
    case .stateFile(let error): error.report
    case .host(let error): error.report
    case .files(let error): error.startReport
    case .problems(let count):
      Report(
        "nothing runs: \(Wording.counted(count, "problem")) in the modules",
        rows: [.init("help", "without --strict, the modules without problems would run")])
    case .restore(let error, let path): error.report(from: path)
    case .settings(let report): report
    case .link(let error): error.report
    case .stage(let problem): problem.report
    case .journal(let error): error.report
    case .noLastJournal(let directory):
      Report(
        "no journal of \(directory) is known",
        rows: [.init("help", "name it: --resume FILE, or begin one: --journal FILE")])
    }
  }

  /// The exit code.
  var code: Int32 {
    switch self {
    case .journal(let error): error.code
    case .noLastJournal: ExitStatus.noInput
    case .restoreFile(.unreadable), .restoreFile(.silent), .files, .settings:
      ExitStatus.noInput
    case .restoreFile(.notJSON), .problems, .restore: ExitStatus.dataError
    case .stateFile, .link: ExitStatus.cannotCreate
    case .host: ExitStatus.internalError
    case .stage: ExitStatus.usageError
    }
  }
}

extension LinkError {
  /// The report for people.
  var report: Report {
    if case .refused(_, let message, let data) = self {
      return data.flatMap { Report(record: $0) } ?? Report(message)
    }
    let help: String? =
      switch self {
      case .pathTooLong: "name a shorter one: --socket PATH"
      case .foreignFolder: "name a socket elsewhere: --socket PATH"
      case .notASocket: "name another path, or remove the file"
      case .inUse: "moonwire attach uses it; --socket PATH names another socket"
      case .noHost: "moonwire serve DIR starts one, and moonwire ps lists those that run"
      case .foreignHost, .silent, .system, .ended, .refused: nil
      }
    return Report("\(self)").adding(help.map { .init("help", $0) })
  }
}
