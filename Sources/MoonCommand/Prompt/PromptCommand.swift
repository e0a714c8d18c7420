import MoonTerminal
import Moonwire

/// A command of the prompt, such as `:state counter.count`, read and ready to run.
///
/// One type in one file of `Prompt/Commands` is the whole of a command: its names and its line of
/// help, how its arguments are read and completed, what it does, and how its answer looks to people
/// and to programs. It is there once ``PromptCommands/all`` lists it.
protocol PromptCommand: Sendable, Equatable {
  /// Its names and its help.
  static var manual: CommandManual { get }

  /// Proposes arguments. Proposes nothing unless a command says otherwise.
  static func completion(_ request: CompletionRequest) -> Completion

  /// Reads what stands behind the name.
  ///
  /// - Parameter arguments: Stands at the first argument, or at the end of the line.
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

/// What people are told about a command.
struct CommandManual: Sendable, Equatable {
  /// What stands behind the colon.
  let name: String
  /// Other words for it.
  ///
  /// They work but aren't listed; typed without the colon, they are recognized.
  var aliases: [String] = []
  /// Its arguments as they stand in the help, such as `[path]`; empty if it takes none.
  var arguments = ""
  /// What it does, in a few words.
  let summary: String
  /// A line that can be typed.
  var example: String?

  /// How it is written, such as `:state [path]`.
  var usage: String { arguments.isEmpty ? ":\(name)" : ":\(name) \(arguments)" }

  /// How it is proposed.
  func candidate(prefix: String) -> Completion.Candidate {
    Completion.Candidate(prefix + name, suffix: arguments.isEmpty ? "" : " ", note: summary)
  }
}
