import Moonwire

/// The commands of the prompt.
enum PromptCommands {
  /// All of them, in the order of the help.
  static let all: [any PromptCommand.Type] = [
    ScreenCommand.self, TapCommand.self, InputCommand.self, BackCommand.self, OpenCommand.self,
    NavCommand.self, RoutesCommand.self, StateCommand.self, ModulesCommand.self,
    ActionsCommand.self, LogCommand.self, HistoryCommand.self, ReloadCommand.self,
    ResumeCommand.self, SlicesCommand.self, RestoreSliceCommand.self, DropSliceCommand.self,
    MoreCommand.self, HelpCommand.self, QuitCommand.self,
  ]

  /// The help of each.
  static var manuals: [CommandManual] { all.map { $0.manual } }

  /// The command with a name, without the colon; nil if there is none.
  static func named(_ word: String) -> (any PromptCommand.Type)? {
    all.first { $0.manual.name == word || $0.manual.aliases.contains(word) }
  }

  /// The known name that is most similar.
  static func nearest(to word: String) -> String? {
    Spelling.nearest(to: word, in: manuals.map(\.name))
  }
}
