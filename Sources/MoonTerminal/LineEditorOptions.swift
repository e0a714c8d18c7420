extension LineEditor {
  /// How an editor looks and where it finds things.
  public struct Options: Sendable {
    /// Whose key bindings hold beside the editor's own.
    public enum Bindings: Sendable {
      /// The file named by `$EDITRC`, or `~/.editrc`.
      case user
      /// This file, in the format of editrc(5).
      case file(String)
      /// Nobody's.
      case none
    }

    /// The terminal's type as in `TERM`; `nil` takes `TERM`.
    public var terminalType: String?
    /// Whose key bindings hold.
    public var bindings = Bindings.user
    /// Where entries are kept across runs; `nil` keeps them in memory only.
    public var history: HistoryFile?
    /// Paints the notes of listed candidates.
    public var style = Style.plain

    /// The user's bindings, no history file, no colours.
    public init() {}
  }

  /// Where a text goes.
  public enum Stream: Sendable {
    /// The editor's output.
    case output
    /// The editor's error output.
    case error
  }

  /// What becomes of a line in the history.
  public enum Recording: Sendable {
    /// It is an entry.
    case line
    /// Nothing; ``LineEditor/record(_:)`` may be called with something better.
    case nothing
  }
}
