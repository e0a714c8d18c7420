/// The result of reading a line.
package enum ReadResult: Sendable, Equatable {
  /// The line, without the newline that ended it.
  case line(String)
  /// Ctrl-C was pressed. The typed text is discarded.
  case interrupted
  /// Ctrl-C was pressed on an empty line.
  case interruptedEmptyLine
  /// Ctrl-\ was pressed to quit the program. The typed text is discarded.
  case quit
  /// Ctrl-D was pressed on an empty line, or the input ended.
  case endOfInput
}

/// The reason that lines can't be edited.
package enum LineEditorError: Error, Sendable, Equatable {
  /// Input or output isn't a terminal.
  case notATerminal
  /// Memory or descriptors have run out, or the terminal is gone.
  case unavailable
}

/// The file descriptors of a terminal.
package struct TerminalDescriptors: Sendable {
  /// The descriptor that keys are read from.
  package let input: Int32
  /// The descriptor that the line is drawn on.
  package let output: Int32
  /// The descriptor for texts to ``LineEditor/Stream/error``.
  package let error: Int32

  /// Makes descriptors; the defaults are the three standard ones of the process.
  package init(input: Int32 = 0, output: Int32 = 1, error: Int32 = 2) {
    self.input = input
    self.output = output
    self.error = error
  }
}

extension LineEditorError: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    switch self {
    case .notATerminal: "lines can't be edited: input or output isn't a terminal"
    case .unavailable: "lines can't be edited: memory or descriptors ran out"
    }
  }
}
