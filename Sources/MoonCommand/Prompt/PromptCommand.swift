import MoonTerminal
import Moonwire

/// A command of the prompt, such as `:state counter.count`, read and ready to run.
///
/// One type in one file of `Prompt/Commands` is a whole command: its names and help, the parsing
/// and completion of its arguments, its effect, and its answer for people and programs.
/// ``PromptCommands/all`` must list it.
protocol PromptCommand: Sendable, Equatable {
  /// Its names and its help.
  static var manual: CommandManual { get }

  /// Proposes arguments.
  ///
  /// By default, proposes nothing.
  static func completion(_ request: CompletionRequest) -> Completion

  /// Reads the arguments.
  ///
  /// - Parameter arguments: A scanner at the first argument, or at the end of the line.
  /// - Throws: ``PromptLineError``
  init(parsing arguments: PromptScanner) throws(PromptLineError)

  /// Carries it out.
  ///
  /// - Throws: ``PromptError``
  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer
}

extension PromptCommand {
  static func completion(_ request: CompletionRequest) -> Completion { .none }

  /// Whether another command is of the same kind and has the same arguments.
  fileprivate func isEqual(to other: any PromptCommand) -> Bool { self == other as? Self }
}

/// Whether two commands are of the same kind and have the same arguments.
func == (left: any PromptCommand, right: any PromptCommand) -> Bool { left.isEqual(to: right) }

/// The help of a command.
struct CommandManual: Sendable, Equatable {
  /// The name after the colon.
  let name: String
  /// Its aliases.
  ///
  /// They work but aren't listed; typed without the colon, they are recognized.
  var aliases: [String] = []
  /// Its arguments in the help, such as `[path]`; empty if it takes none.
  var arguments = ""
  /// What it does, in a few words.
  let summary: String
  /// An example line.
  var example: String?

  /// Its synopsis, such as `:state [path]`.
  var usage: String { arguments.isEmpty ? ":\(name)" : ":\(name) \(arguments)" }

  /// Its completion.
  func candidate(prefix: String) -> Completion.Candidate {
    Completion.Candidate(prefix + name, suffix: arguments.isEmpty ? "" : " ", note: summary)
  }
}
