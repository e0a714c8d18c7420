import MoonJournal
import Moonwire

extension JournalError {
  /// The report for people.
  var report: Report {
    Report("\(reason)", detail: journal, rows: help.map { [.init("help", $0)] } ?? [])
  }

  private var help: String? {
    switch reason {
    case .missing: "check the name; moonwire run with --journal \(journal) begins a new one"
    case .noDirectory: "make the directory first, or name another file"
    case .exists: "name another file, or move that one away"
    case .full: "make room there; what has happened is kept then"
    case .readOnly: "let its owner write it, or name another file"
    case .inUse: "end that program, or name another file"
    case .gone: "--state writes the state at the end; then begin a new journal"
    case .foreign: "name a file that --journal has written"
    case .laterFormat: "use that moonwire, or a later one"
    case .taken: "to go on with it: --resume \(journal)"
    case .empty: "begin with --journal and another file"
    case .damaged: "the file is left as it is; moonwire journal verify says what can be read"
    case .failed: nil
    }
  }

  /// The report that a recording has ended.
  var recordingReport: Report {
    Report(
      .warning, "\(reason)", detail: journal,
      rows: [.init("meanwhile", "the recording has ended; the session goes on")])
  }

  /// The exit code.
  var code: Int32 {
    switch reason {
    case .missing: ExitStatus.noInput
    case .noDirectory, .exists, .full, .readOnly, .inUse, .gone, .failed: ExitStatus.cannotCreate
    case .foreign, .laterFormat, .taken, .empty, .damaged: ExitStatus.dataError
    }
  }
}

extension RecoveredJournal.Damage {
  /// Returns the warning about a journal whose readable part was taken over.
  func report(of path: String) -> Report {
    Report(
      .warning, "\(reason)", detail: path,
      rows: [
        .init("meanwhile", "the session goes on after record \(lastNumber), the last whole one"),
        .init("kept", "the original is \(original)"),
      ])
  }
}
