package import MoonTerminal
import Moonwire

/// A command of the prompt, such as `:state counter.count`, with its arguments.
///
/// A command is one type in one file of `Commands`: its names and help, the parsing and
/// completion of its arguments, its effect, and its answer for people and programs.
/// ``PromptCommands/all`` must list it.
package protocol PromptCommand: Sendable, Equatable {
  /// The command's names and help.
  static var manual: CommandManual { get }

  /// Proposes arguments.
  ///
  /// The default implementation proposes nothing.
  static func completion(_ request: CompletionRequest) -> Completion

  /// Reads the arguments.
  ///
  /// - Parameter arguments: A scanner at the first argument, or at the end of the line.
  /// - Throws: ``PromptLineError``
  init(parsing arguments: PromptScanner) throws(PromptLineError)

  /// Carries out the command.
  ///
  /// - Throws: ``PromptError``
  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer
}

extension PromptCommand {
  static func completion(_ request: CompletionRequest) -> Completion { .none }

  /// Returns whether another command is of the same kind and has the same arguments.
  fileprivate func isEqual(to other: any PromptCommand) -> Bool { self == other as? Self }
}

/// Returns whether two commands are of the same kind and have the same arguments.
func == (left: any PromptCommand, right: any PromptCommand) -> Bool { left.isEqual(to: right) }
