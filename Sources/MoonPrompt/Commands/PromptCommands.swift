import Moonwire

/// The commands of the prompt.
enum PromptCommands {
  /// All commands, in the order of the help.
  static let all: [any PromptCommand.Type] = [
    ScreenCommand.self, TapCommand.self, InputCommand.self, KeysCommand.self, PressCommand.self,
    ScrollCommand.self, BackCommand.self, OpenCommand.self,
    NavCommand.self, RoutesCommand.self, StateCommand.self, ModulesCommand.self,
    RegistrationsCommand.self, ActionsCommand.self, CallCommand.self, ServicesCommand.self,
    SettingsCommand.self,
    TasksCommand.self, CancelCommand.self, LogCommand.self,
    HistoryCommand.self, WhyCommand.self, RecordCommand.self, TimelineCommand.self,
    ForwardCommand.self, GotoCommand.self, UndoCommand.self, ReloadCommand.self,
    ResumeCommand.self, GrantsCommand.self, GrantCommand.self, RevokeCommand.self,
    SlicesCommand.self, RestoreSliceCommand.self, DropSliceCommand.self,
    MoreCommand.self, HelpCommand.self, QuitCommand.self,
  ]

  /// The help of all commands.
  static var manuals: [CommandManual] { all.map { $0.manual } }

  /// Returns the command with a name, without the colon; nil if there is none.
  static func named(_ word: String) -> (any PromptCommand.Type)? {
    all.first { $0.manual.name == word || $0.manual.aliases.contains(word) }
  }

  /// What other programs call the commands.
  private static let elsewhere = [
    "travel": "goto", "jump": "goto", "rewind": "goto",
    "ls": "modules", "ps": "tasks", "kill": "cancel", "restart": "reload", "permissions": "grants",
    "allow": "grant", "deny": "revoke", "route": "open", "go": "open", "get": "state",
    "logs": "log", "click": "tap", "type": "input", "explain": "why", "undelete": "restore-slice",
  ]

  /// Returns the name of the command that is meant by an unknown word: the one that other programs
  /// have the word for, or the one with the most similar spelling.
  static func nearest(to word: String) -> String? {
    // The beginning of a name is further from it than a misspelt one.
    elsewhere[word]
      ?? Spelling.nearest(to: word, in: manuals.map(\.name) + RegistrationsCommand.kindNames)
      ?? manuals.map(\.name).first { word.utf8.count > 1 && $0.hasPrefix(word) }
  }
}
