import Moonwire

/// Why a line can't be read.
struct PromptLineError: Error, Equatable, Sendable {
  /// What is wrong.
  enum Reason: Equatable, Sendable {
    /// No command has that name.
    case unknownCommand(String)
    /// The command takes no arguments.
    case unexpectedArgument(CommandManual)
    /// The command needs an argument.
    case missingArgument(CommandManual)
    /// It should be a path into the state.
    case notAPath(String, PathError)
    /// It should be the name of a module.
    case notAModuleName(String)
    /// It should be a number of lines.
    case notACount(String)
    /// It should be the version of a slice.
    case notAVersion(String)
    /// It should be the type of an action.
    case notAnAction(String, Guess)
    /// There is nothing after the `=`.
    case nothingToEvaluate
    /// It should be `key=value`.
    case notAField(String)
    /// There is nothing after `key=`.
    case missingValue(String)
    /// The key is repeated.
    case duplicateField(String)
    /// It should be JSON.
    case notJSON(ParseError.Reason)
    /// There is text directly after a value.
    case textAfterValue
  }

  /// The likely meaning of a word that isn't an action's type.
  enum Guess: Equatable, Sendable {
    case command(CommandManual)
    case lua
    case url
    case action
  }

  /// What is wrong.
  let reason: Reason
  /// The position in characters (Unicode scalars), from 1.
  let column: Int
  /// In which line of a piece of several, from 1.
  var line = 1
}

extension PromptLineError {
  /// Whether more lines can make the line whole: it ends within a list or a map.
  ///
  /// A text that isn't closed can't be mended so, because JSON has no newlines in texts.
  func isIncomplete(in line: String) -> Bool {
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
