import MoonTerminal
import Moonwire

extension Messages {
  /// Why a file or the directory is of no use, in a few words.
  static func files(_ error: FilesError) -> String {
    switch error {
    case .rootMissing(let path): "there is no directory \(path)"
    case .rootNotDirectory(let path): "\(path) is no directory"
    case .rootUnreadable(let path, let cause): "\(path) can't be read: \(cause)"
    case .refusedPath(let path, let fault): "the path '\(path)' \(Messages.fault(ofPath: fault))"
    case .leavesRoot(let path, let target):
      "\(path) leads out of the script directory, to \(target)"
    case .notFound(let path): "there is no file \(path)"
    case .notRegularFile(let path, let kind): "\(path) is \(name(of: kind)), not a file"
    case .tooLarge(let path, let size, let limit):
      "\(path) has \(size) bytes, \(limit) are allowed"
    case .unreadable(let path, let cause): "\(path) can't be read: \(cause)"
    case .watcherUnavailable(let path, let cause): "\(path) can't be watched: \(cause)"
    }
  }

  /// The script directory can't be used from the start.
  static func noDirectory(_ error: FilesError) -> Report {
    let help: String? =
      switch error {
      case .rootMissing: "make it, or give another: moonwire run DIR"
      case .rootNotDirectory: "give the directory that the script is in"
      default: nil
      }
    return Report(files(error)).adding(help.map { .init("help", $0) })
  }

  /// What is said about how the directory is watched.
  static func watching(_ notice: DirectoryWatcher.Notice) -> Report {
    switch notice {
    case .pollingInstead(let cause, let setting, let interval):
      Report(
        .warning, "the system can't tell when files change (\(cause))",
        detail: "they are looked at every \(time(interval)) instead"
      ).adding(
        setting.map { .init("help", "raise the limit: sudo sysctl \($0)=…") })
    }
  }

  static func lost(_ error: FilesError) -> Report {
    Report(
      .warning, files(error),
      rows: [.init("meanwhile", "what is loaded runs on, and the directory is waited for")])
  }

  /// The modules run, but the files aren't watched.
  static func unwatched(_ error: FilesError) -> Report {
    Report(
      .warning, files(error), detail: "modules run, and aren't reloaded when their files change",
      rows: [.init("help", ":reload loads them again; --no-watch says that this is meant")])
  }

  static func output(_ error: OutputError) -> Report {
    switch error {
    case .closed: Report("nobody reads the results any more")
    case .failed(let code): Report("the results can't be written: \(SystemError(code: code))")
    }
  }

  static func reading(_ error: LineReadError) -> Report {
    switch error {
    case .lineTooLong(let max): Report("a line is longer than \(max) bytes, and was left out")
    case .unreadable(let code):
      Report("standard input can't be read: \(SystemError(code: code))")
    }
  }

  static func history(_ error: HistoryError) -> Report {
    let (path, code, what) =
      switch error {
      case .unreadable(let path, let code): (path, code, "read")
      case .unwritable(let path, let code): (path, code, "written")
      }
    return Report(
      .warning, "the history of the prompt can't be \(what)",
      detail: "\(path): \(SystemError(code: code))",
      rows: [
        .init("help", "name another file in MOONWIRE_HISTORY, or none: MOONWIRE_HISTORY=")
      ])
  }

  private static func fault(ofPath fault: PathFault) -> String {
    switch fault {
    case .empty: "is empty"
    case .absolute: "begins with a slash"
    case .parentComponent: "has a '..' in it"
    case .notNormalized: "has an empty part or a '.' in it"
    case .nulByte: "has a NUL byte in it"
    }
  }

  private static func name(of kind: FileKind) -> String {
    switch kind {
    case .regular: "a file"
    case .directory: "a directory"
    case .symbolicLink: "a symbolic link"
    case .special: "a device, a pipe or a socket"
    }
  }
}
