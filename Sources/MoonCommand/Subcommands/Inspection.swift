import ArgumentParser
import Logging
import MoonTerminal
import Moonwire

/// A host whose modules are loaded to be looked at; nothing is started.
struct Inspection {
  let host: Host
  let screen: Screen
  let display: DisplayOptions

  /// Loads a directory.
  ///
  /// - Throws: `ExitCode` when that can't be done, which was told then.
  init(
    of directory: String, _ display: DisplayOptions, _ limits: [LimitSetting]
  ) async throws {
    let environment = DisplayOptions.environment
    let screen = Screen(editor: nil, color: display.color.mode, environment: environment)
    self.screen = screen
    self.display = display
    do {
      var options = HostOptions()
      let level = display.logLevel.level
      options.logger = Logger(label: "moonwire") { _ in
        ScreenLogHandler(logLevel: level, ring: LogRing(), show: { screen.log($0) })
      }
      for limit in limits { limit.set(in: &options) }
      let host = try Host(directory: directory, options: options)
      self.host = host
      let ending = Ending(host, TerminalModes())
      Signals.listen { number in ending.end(signal: number) }
      try await host.load()
    } catch let error as FilesError {
      throw Self.refused(Messages.noDirectory(error), ExitStatus.noInput, screen, display)
    } catch let error as HostError {
      throw Self.refused(Messages.host(error), ExitStatus.internalError, screen, display)
    }
  }

  /// Tells why there is no answer; to be thrown.
  func refusal(_ report: Report, _ code: Int32) -> ExitCode {
    Self.refused(report, code, screen, display)
  }

  private static func refused(
    _ report: Report, _ code: Int32, _ screen: Screen, _ display: DisplayOptions
  ) -> ExitCode {
    if display.json { screen.result([JSONRecord.line(report)]) }
    screen.notice(report)
    return ExitCode(code)
  }
}
