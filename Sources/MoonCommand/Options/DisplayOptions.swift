import ArgumentParser
import Logging
import MoonTerminal

/// Options for the output.
struct DisplayOptions: ParsableArguments {
  @Option(help: "When to use colours: auto, always or never. auto respects NO_COLOR.")
  var color = ColorOption.auto

  @Flag(help: "Write one JSON object a line to standard output, each with \"v\":1.")
  var json = false

  @Option(name: .customLong("log-level"), help: "The lowest level that is logged.")
  var logLevel = LogLevel.info
}

/// The choice of colours.
enum ColorOption: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, always, never

  /// The corresponding mode of styles.
  var mode: Style.ColorMode {
    switch self {
    case .auto: .auto
    case .always: .always
    case .never: .never
    }
  }
}

/// The levels of the log, the least important first.
enum LogLevel: String, CaseIterable, ExpressibleByArgument, Sendable {
  case trace, debug, info, notice, warning, error, critical

  /// The corresponding level of the log.
  var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
