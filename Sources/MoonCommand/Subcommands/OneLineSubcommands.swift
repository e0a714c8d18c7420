import ArgumentParser
import MoonPrompt
import Moonwire

/// A subcommand that has a running host carry out one line of the prompt.
protocol OneLineSubcommand: AsyncParsableCommand {
  /// What comes before the words in the line.
  static var prefix: String { get }
  var words: [String] { get }
  var options: OneLineOptions { get }
}

extension OneLineSubcommand {
  static var prefix: String { ":\(configuration.commandName ?? "") " }

  func run() async throws {
    try await OneLine(options).run(Self.prefix + OneLine.joined(words))
  }
}

/// Dispatches an action.
struct DispatchSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "dispatch", abstract: "Dispatches an action on a running host: counter/add by=2.")
  static let prefix = ""
  @Argument(
    help: ArgumentHelp(
      "The action's type, and its payload as key=value or JSON.", valueName: "action"))
  var words: [String]
  @OptionGroup var options: OneLineOptions
}

/// Evaluates Lua.
struct EvalSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "eval", abstract: "Evaluates Lua on a running host.")
  static let prefix = "= "
  @Argument(help: ArgumentHelp("The Lua.", valueName: "lua")) var words: [String]
  @OptionGroup var options: OneLineOptions

  func run() async throws {
    try await OneLine(options).run(Self.prefix + words.joined(separator: " "))
  }
}

/// Routes a URL.
struct OpenSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Routes a URL on a running host.")
  @Argument(help: ArgumentHelp("The URL, and parameters as key=value.", valueName: "url"))
  var words: [String]
  @OptionGroup var options: OneLineOptions
}

/// Shows the navigation.
struct NavSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "nav", abstract: "Shows the navigation of a running host.")
  var words: [String] { [] }
  @OptionGroup var options: OneLineOptions
}

/// Shows a screen.
struct ScreenSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "screen", abstract: "Shows a screen of a running host.")
  @Argument(
    help: ArgumentHelp(
      "The id of the screen; the one on top if it is left out.", valueName: "screen"))
  var words: [String] = []
  @OptionGroup var options: OneLineOptions
}

/// Uses a control.
struct TapSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "tap", abstract: "Uses a control of the screen on top of a running host.")
  @Argument(help: ArgumentHelp("The number or the title of the control.", valueName: "control"))
  var words: [String]
  @OptionGroup var options: OneLineOptions
}

/// Fills in inputs.
struct InputSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "input", abstract: "Fills in inputs of the screen on top of a running host.")
  @Argument(help: ArgumentHelp("The inputs, as name=text.", valueName: "input"))
  var words: [String]
  @OptionGroup var options: OneLineOptions
}

/// Does what keys do.
struct PressSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "press", abstract: "Does what keys do on a running host: ctrl+n.")
  @Argument(help: ArgumentHelp("The keys, such as ctrl+n or g i.", valueName: "keys"))
  var words: [String]
  @OptionGroup var options: OneLineOptions
}

/// Lists keys.
struct KeysSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Lists what keys do on a running host.")
  var words: [String] { [] }
  @OptionGroup var options: OneLineOptions
}

/// Reloads modules.
struct ReloadSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Reloads modules of a running host.")
  @Argument(help: ArgumentHelp("The module; all of them if it is left out.", valueName: "module"))
  var words: [String] = []
  @OptionGroup var options: OneLineOptions
}

/// Explains an action.
struct WhySubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Shows what led to an action, or to the last change at a path.")
  @Argument(help: ArgumentHelp("The number of the action, or the path.", valueName: "subject"))
  var words: [String]
  @OptionGroup var options: OneLineOptions
}

/// Lists tasks.
struct TasksSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "tasks", abstract: "Lists the tasks of a running host.")
  @Argument(help: ArgumentHelp("The module; all of them if it is left out.", valueName: "module"))
  var words: [String] = []
  @OptionGroup var options: OneLineOptions
}

/// Calls a command of a module.
struct CallSubcommand: OneLineSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "call", abstract: "Calls a command of a module on a running host.")
  @Argument(
    help: ArgumentHelp("The command, such as cart/total, and its payload.", valueName: "command"))
  var words: [String]
  @OptionGroup var options: OneLineOptions
}
