import MoonTerminal

/// The help of a command.
package struct CommandManual: Sendable, Equatable {
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
