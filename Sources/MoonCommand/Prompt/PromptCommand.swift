/// The commands of the prompt, which begin with a colon.
enum PromptCommand: String, CaseIterable, Sendable {
  case screen, tap, input, back, open, nav, routes
  case state, modules, actions, log, history, reload, resume, help, quit

  /// What may follow the command.
  enum Argument: Sendable {
    case nothing
    case path
    case module
    case count
    case command
    case screen
    case control
    case inputs
    case url
    case urlAndFields
  }

  /// What may follow; controls, inputs and a URL to open must be given.
  var argument: Argument {
    switch self {
    case .state: .path
    case .actions, .reload, .resume: .module
    case .log, .history: .count
    case .help: .command
    case .screen: .screen
    case .tap: .control
    case .input: .inputs
    case .open: .urlAndFields
    case .routes: .url
    case .modules, .quit, .back, .nav: .nothing
    }
  }
}
