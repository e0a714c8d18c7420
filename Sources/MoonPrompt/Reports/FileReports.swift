package import MoonTerminal
package import Moonwire

extension FilesError {
  /// The report on a script directory that can't be used at the start.
  package var startReport: Report {
    let help: String? =
      switch self {
      case .rootMissing: "make it, or give another: moonwire run DIR"
      case .rootNotDirectory: "give the directory that the script is in"
      default: nil
      }
    return Report("\(self)").adding(help.map { .init("help", $0) })
  }

  /// The report on a script directory that has disappeared.
  var lossReport: Report {
    Report(
      .warning, "\(self)",
      rows: [
        .init("meanwhile", "loaded modules keep running, and the host waits for the directory")
      ])
  }

  /// The report on a directory that can't be watched.
  package var watchReport: Report {
    Report(
      .warning, "\(self)", detail: "modules run, and aren't reloaded when their files change",
      rows: [.init("help", ":reload loads them again; --no-watch says that this is meant")])
  }
}

extension ScriptDirectory.Lookalike {
  /// The report on a file that was left out because of its name.
  package var report: Report {
    switch reason {
    case .hidden:
      Report(
        .note, "\(path) isn't loaded: names that begin with a dot are passed over",
        rows: [.init("help", "give it another name if it is a script")])
    case .ending:
      Report(
        .note, "\(path) isn't loaded: a script's name ends with .lua in small letters",
        rows: [.init("help", "rename it if it is a script")])
    }
  }
}

extension DirectoryWatcher.Notice {
  /// The report on how the directory is watched.
  package var report: Report {
    switch self {
    case .pollingInstead(let cause, let setting, let interval):
      Report(
        .warning, "the system can't tell when files change (\(cause))",
        detail: "they are looked at every \(Wording.time(interval)) instead"
      ).adding(
        setting.map { .init("help", "raise the limit: sudo sysctl \($0)=…") })
    }
  }
}

extension HistoryError {
  /// The report for people.
  ///
  /// The prompt works without its history.
  package var report: Report {
    Report(
      .warning, headline, detail: detail,
      rows: [
        .init("help", "name another file in MOONWIRE_HISTORY, or none: MOONWIRE_HISTORY=")
      ])
  }
}
