import MoonTerminal
import Moonwire

extension Messages {
  static let restoreHelp = """
    Begin with the state in this file, which --state wrote; may be the same file.
    """

  /// A file that no state can be read from.
  static func restoreFile(_ error: RestoreFileError) -> Report {
    switch error {
    case .unreadable(let path, let code):
      Report("the state can't be read from \(path)", detail: "\(SystemError(code: code))")
    case .notJSON(let path, let error):
      Report(
        "the state in \(path) isn't JSON",
        at: SourcePlace(file: path, line: error.line),
        detail: "column \(error.column): \(json(error.reason))", rows: [restoreRow])
    }
  }

  /// A state that no run can begin with.
  static func restore(_ error: RestoreError, from path: String) -> Report {
    let detail =
      switch error {
      case .notAState: "it must be a map with an entry for each module"
      case .unknownSlice(let key): "'\(key)' can't be a module's name"
      case .notASlice(let name): "the entry of module \(name) must be a list or a map"
      case .navigation(let error): "the entry 'navigation' is no navigation: \(error)"
      }
    return Report("no run can begin with the state in \(path)", detail: detail, rows: [restoreRow])
  }

  private static var restoreRow: Report.Row {
    .init("help", "--restore takes a file that --state has written")
  }
}
