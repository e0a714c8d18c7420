import Glibc
import MoonTerminal
import Moonwire

extension Messages {
  static let restoreHelp = """
    Begin with the state in this file, which --state wrote; may be the same file.
    """
  static let restoreIfThereHelp = """
    The same, but begin anew if there is no such file yet.
    """
  static let restoredTwice = "--restore and --restore-if-there can't go together"

  /// A file that no state can be read from.
  static func restoreFile(_ error: RestoreFileError) -> Report {
    switch error {
    case .unreadable(let path, let code):
      Report("the state can't be read from \(path)", detail: "\(SystemError(code: code))").adding(
        code == ENOENT ? .init("help", "to begin anew then: --restore-if-there \(path)") : nil)
    case .silent(let path, let duration):
      Report(
        "the state can't be read from \(path)",
        detail: "nothing has come from it for \(time(duration))",
        rows: [.init("help", "something must write into it, or name a file")])
    case .notJSON(let path, let error):
      Report(
        "the state in \(path) isn't JSON",
        at: SourcePlace(file: path, line: error.line),
        detail: "column \(error.column): \(json(error.reason))", rows: [restoreRow])
    }
  }

  /// A state that no run can begin with.
  static func restore(_ error: RestoreError, from path: String) -> Report {
    Report("no run can begin with the state in \(path)", detail: "\(error)", rows: [restoreRow])
  }

  private static var restoreRow: Report.Row {
    .init("help", "--restore takes a file that --state has written")
  }

  /// A slice that a run begins without.
  static func unreadable(
    _ slice: StateReader.UnreadableSlice, in path: String, isReplaced: Bool
  ) -> Report {
    Report(
      .warning, "the slice of \(slice.slice) can't be read: it begins as without a state",
      at: SourcePlace(file: path, line: slice.error.line),
      detail: "column \(slice.error.column): \(json(slice.error.reason))",
      rows: isReplaced
        ? [.init("meanwhile", "the file is kept as \(path).before when it is written again")] : [])
  }
}

extension Messages {
  /// A state that can't be written.
  static func stateFile(_ error: StateFileError) -> Report {
    switch error {
    case .system(let path, let code):
      Report(
        "the state can't be written to \(path)", detail: "\(SystemError(code: code))",
        rows: [
          .init(
            "help",
            ([ENOSPC, EDQUOT, EFBIG].contains(code) ? "make room there, or name" : "name")
              + " another place: --state FILE")
        ])
    case .fixedDirectory(let path, let code):
      Report(
        "the state can't be written to \(path)",
        detail: "its directory takes no new file: \(SystemError(code: code))",
        rows: [
          .init(
            "help", "a file is replaced as a whole; name one in another directory, or - to pipe")
        ])
    case .noReader(let path):
      Report(
        "the state can't be written to \(path)", detail: "nothing reads from the pipe",
        rows: [.init("help", "start its reader first, or name a file")])
    case .notWritable(let path):
      Report(
        "the state can't be written to \(path)", detail: "it isn't a file, a pipe or a terminal",
        rows: [.init("help", "name a file")])
    case .misplaced(let path, let temporary, let code):
      Report(
        "the state can't be written to \(path)", detail: "\(SystemError(code: code))",
        rows: [.init("meanwhile", "it is in \(temporary)")])
    }
  }

  /// A slice that isn't written.
  static func omission(_ omission: StateText.Omission) -> Report {
    Report(
      "the slice of \(omission.slice) isn't written: its text would exceed"
        + " \(size(omission.byteCountMax))",
      rows: [
        .init("meanwhile", "all other slices are written"),
        .init("help", "does it hold the same large value many times?"),
      ])
  }

  /// The program ends while the host is busy.
  static var stateOfBusyHost: Report {
    Report(.warning, "the host is busy: the state after the last finished line is written")
  }
}
