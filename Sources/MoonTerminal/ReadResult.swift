/// How reading a line ended.
public enum ReadResult: Sendable, Equatable {
  /// The line, without the newline that ended it.
  case line(String)
  /// Ctrl-C was pressed, which discards what had been typed.
  case interrupted
  /// Ctrl-\ was pressed, which asks the program to quit; what had been typed is discarded.
  case quit
  /// Ctrl-D was pressed on an empty line, or the input ended.
  case endOfInput
}

/// Why lines cannot be edited.
public enum LineEditorError: Error, Sendable, Equatable {
  /// Input or output isn't a terminal.
  case notATerminal
  /// Memory or descriptors ran out, or the terminal went away.
  case unavailable
}

/// The file descriptors of a terminal.
public struct TerminalDescriptors: Sendable {
  /// Where keys come from.
  public let input: Int32
  /// Where the line is drawn.
  public let output: Int32
  /// Where texts for ``LineEditor/Stream/error`` go.
  public let error: Int32

  /// The process's own three, or others.
  public init(input: Int32 = 0, output: Int32 = 1, error: Int32 = 2) {
    self.input = input
    self.output = output
    self.error = error
  }
}

extension LineEditorError: CustomStringConvertible {
  /// Why lines can't be edited.
  public var description: String {
    switch self {
    case .notATerminal: "lines can't be edited: input or output isn't a terminal"
    case .unavailable: "lines can't be edited: memory or descriptors ran out"
    }
  }
}
