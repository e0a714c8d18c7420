import MoonTerminal
import Moonwire

/// A command of the prompt, such as `:state counter.count`, with its arguments.
///
/// A command is one type in one file of `Prompt/Commands`: its names and help, the parsing and
/// completion of its arguments, its effect, and its answer for people and programs.
/// ``PromptCommands/all`` must list it.
protocol PromptCommand: Sendable, Equatable {
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

/// The help of a command.
struct CommandManual: Sendable, Equatable {
  /// The name after the colon.
  let name: String
  /// The command's aliases.
  ///
  /// They aren't listed in the help. A word without the colon is recognized as one of them.
  var aliases: [String] = []
  /// The arguments in the help, such as `[path]`; empty if the command takes none.
  var arguments = ""
  /// The effect, in a few words.
  let summary: String
  /// An example line.
  var example: String?

  /// The synopsis, such as `:state [path]`.
  var usage: String { arguments.isEmpty ? ":\(name)" : ":\(name) \(arguments)" }

  /// Returns the candidate for completion.
  func candidate(prefix: String) -> Completion.Candidate {
    Completion.Candidate(prefix + name, suffix: arguments.isEmpty ? "" : " ", note: summary)
  }
}
