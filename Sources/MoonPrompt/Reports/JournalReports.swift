package import MoonJournal
package import Moonwire

/// What a journal is used for, which decides what helps after an error.
package enum JournalPurpose {
  /// A session.
  case session
  /// Reading a journal or a recording.
  case reading
  /// Finding damage in a journal or a recording.
  case verification
}

extension JournalError {
  /// The report for people.
  package var report: Report { report(for: .session) }

  /// Returns the report for people.
  package func report(for purpose: JournalPurpose) -> Report {
    Report("\(reason)", detail: journal, rows: help(purpose).map { [.init("help", $0)] } ?? [])
  }

  private func help(_ purpose: JournalPurpose) -> String? {
    switch reason {
    case .missing: "check the name; moonwire run with --journal \(journal) begins a new one"
    case .noDirectory: "make the directory first, or name another file"
    case .exists: "name another file, or move that one away"
    case .full: "make room there; what has happened is kept then"
    case .readOnly: "let its owner write it, or name another file"
    case .unreadable: "let its owner allow it, or name another file"
    case .inUse: "end that program, or name another file"
    case .gone: "move it back; or --state writes the state at the end; then begin a new journal"
    case .foreign:
      purpose == .session
        ? "name a file that --journal has written"
        : "name a file that --journal has written, a recording, or a list of actions"
    case .laterFormat: "use that moonwire, or a later one"
    case .taken: "to resume it: --resume \(journal)"
    case .empty: "begin with --journal and another file"
    case .invalidAction: "write {\"name\": \"counter/add\", \"payload\": {\"by\": 1}}"
    case .noActions: "moonwire journal \(journal) lists the ids"
    case .damaged:
      purpose == .verification
        ? "run --resume takes over what a journal holds before that; cut a recording off there"
        : "the file is left as it is; moonwire journal verify says what can be read"
    case .failed: nil
    }
  }

  /// The report that a recording has ended.
  var recordingReport: Report {
    Report(
      .warning, "\(reason)", detail: journal,
      rows: [.init("meanwhile", "the recording has ended; the session continues")])
  }

  /// The exit code.
  package var code: Int32 {
    switch reason {
    case .missing, .unreadable: ExitStatus.noInput
    case .noDirectory, .exists, .full, .readOnly, .inUse, .gone, .failed: ExitStatus.cannotCreate
    case .foreign, .laterFormat, .taken, .empty, .noActions, .damaged, .invalidAction:
      ExitStatus.dataError
    }
  }
}

extension RecoveredJournal.Damage {
  /// Returns the warning about a journal whose readable part was taken over.
  package func report(of path: String) -> Report {
    Report(
      .warning, "\(reason)", detail: path,
      rows: [
        .init("meanwhile", "the session continues after record \(lastNumber), the last whole one"),
        .init("kept", "the original is \(original)"),
      ])
  }
}
