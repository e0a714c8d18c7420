import ArgumentParser
import Glibc
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

  /// The environment that the process was started with.
  static let environment: [String: String] = {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1)
      if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
      if pair.count == 1 { result[String(pair[0])] = "" }
      entry += 1
    }
    return result
  }()
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
