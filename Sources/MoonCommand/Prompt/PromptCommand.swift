/// The commands of the prompt, which begin with a colon.
enum PromptCommand: String, CaseIterable, Sendable {
  case state, modules, actions, log, history, reload, resume, help, quit

  /// What may follow the command.
  enum Argument: Sendable {
    case nothing
    case path
    case module
    case count
    case command
  }

  /// What may follow; it may always be left out.
  var argument: Argument {
    switch self {
    case .state: .path
    case .actions, .reload, .resume: .module
    case .log, .history: .count
    case .help: .command
    case .modules, .quit: .nothing
    }
  }
}
