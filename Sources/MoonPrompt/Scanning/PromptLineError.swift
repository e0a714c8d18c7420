package import Moonwire

/// The reason that a line can't be parsed.
package struct PromptLineError: Error, Equatable, Sendable {
  /// The problem.
  package enum Reason: Equatable, Sendable {
    /// No command has this name.
    case unknownCommand(String)
    /// There is no help on this.
    case unknownTopic(String)
    /// The command takes no arguments.
    case unexpectedArgument(CommandManual)
    /// The command needs an argument.
    case missingArgument(CommandManual)
    /// The text should be a path into the state.
    case notAPath(String, PathError)
    /// The text should be the name of a module.
    case notAModuleName(String)
    /// The text should be a scope.
    case notAScope(String, ScopeError)
    /// The text should be a number of lines.
    case notACount(String)
    /// The text should be the number of an action.
    case notAnActionID(String)
    /// The word should be a change of the timeline.
    case unknownChange(String, nearest: String?)
    /// The text should be a path of at least two steps, for what a recording leaves out.
    case notARedaction(String)
    /// The word looks like an option, but no option has this name.
    case unknownOption(String, nearest: String?)
    /// The text should be the version of a slice.
    case notAVersion(String)
    /// The text should be the type of an action.
    case notAnAction(String, Guess)
    /// There is nothing after the `=`.
    case nothingToEvaluate
    /// The text should be `key=value`.
    case notAField(String)
    /// There is nothing after `key=`.
    case missingValue(String)
    /// The key is repeated.
    case duplicateField(String)
    /// The text should be JSON.
    case notJSON(ParseError.Reason)
    /// There is text directly after a value.
    case textAfterValue
  }

  /// The likely meaning of a word that isn't an action's type.
  package enum Guess: Equatable, Sendable {
    case command(CommandManual)
    case lua
    case url
    case action
  }

  /// The problem.
  package let reason: Reason
  /// The position in characters (Unicode scalars), from 1.
  let column: Int
  /// The line number in input of several lines, from 1.
  var line = 1

  package init(reason: Reason, column: Int, line: Int = 1) {
    self.reason = reason
    self.column = column
    self.line = line
  }
}

extension PromptLineError {
  /// Returns whether more lines can complete the line, because it ends within a list or a map.
  ///
  /// They can't complete an unclosed string, because JSON strings have no line breaks.
  package func isIncomplete(in line: String) -> Bool {
    guard reason == .notJSON(.unexpectedEnd) else { return false }
    var isInText = false
    var isEscaped = false
    for byte in line.utf8 {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isInText
      } else if byte == UInt8(ascii: "\"") {
        isInText.toggle()
      }
    }
    return !isInText
  }
}
