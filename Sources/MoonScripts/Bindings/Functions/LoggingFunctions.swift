import Logging
import MoonLua

/// The functions that write to the log.
enum LoggingFunctions {
  static let all: [HostFunction] = [
    HostFunction(
      "print", [ScriptWord("print(…)", written)], replay: .silent
    ) { call in
      call.bindings.print(call.text(0), from: call.module)
      return .nothing
    },
    HostFunction(
      "log",
      ["trace", "debug", "info", "notice", "warning", "error"].map {
        ScriptWord("moon.log.\($0)(…)", written)
      }, replay: .silent
    ) { call in
      let level = Logger.Level(rawValue: call.text(0)) ?? .info
      call.bindings.log(level, call.text(1), from: call.module)
      return .nothing
    },
  ]

  private static let written = "writes to the log, showing the contents of tables"
}
