extension LineEditor {
  /// The settings of an editor.
  package struct Options: Sendable {
    /// The key bindings that apply in addition to the editor's own.
    package enum Bindings: Sendable {
      /// The file named by `$EDITRC`, or `~/.editrc`.
      case user
      /// This file, in the format of editrc(5).
      case file(String)
      /// No other key bindings.
      case none
    }

    /// The terminal's type, as in `TERM`; `nil` means the value of `TERM`.
    package var terminalType: String?
    /// The key bindings that apply in addition to the editor's own.
    package var bindings = Bindings.user
    /// The file that keeps entries across runs; `nil` keeps them in memory only.
    package var history: HistoryFile?
    /// The style of the notes of listed candidates.
    package var style = Style.plain

    /// Makes options with the user's bindings, no history file and no colours.
    package init() {}
  }

  /// A stream that text is written to.
  package enum Stream: Sendable {
    /// The editor's output.
    case output
    /// The editor's error output.
    case error
  }

  /// Whether a line enters the history.
  package enum Recording: Sendable {
    /// The line becomes an entry.
    case line
    /// The line doesn't become one; the caller may pass another text to ``LineEditor/record(_:)``.
    case nothing
  }
}
