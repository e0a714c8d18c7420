import ArgumentParser
import Logging
import MoonPrompt
import MoonServices
import MoonTerminal
import Moonwire

/// A host whose modules are loaded for inspection and not started.
struct Inspection {
  let host: Host
  let output: TerminalOutput
  let display: DisplayOptions
  /// The settings for modules.
  let settings: ConfiguredSettings
  /// The options of the host, for making others.
  let options: HostOptions
  private let builtIns: BuiltInOptions

  /// Loads a directory.
  ///
  /// - Throws: `ExitCode` if that fails, after reporting the error.
  init(
    of scripts: DirectoryArgument, _ display: DisplayOptions, _ settings: HostSettings,
    changing change: (inout HostOptions) -> Void = { _ in }
  ) async throws {
    try await self.init(of: scripts.directory, scripts.links, display, settings, changing: change)
  }

  /// Loads a directory, whose symbolic links may enter others.
  ///
  /// - Throws: `ExitCode` if that fails, after reporting the error.
  init(
    of directory: String, _ links: LinkOptions, _ display: DisplayOptions,
    _ settings: HostSettings, changing change: (inout HostOptions) -> Void = { _ in }
  ) async throws {
    let environment = ProcessEnvironment.variables
    let output = TerminalOutput(editor: nil, color: display.color.mode, environment: environment)
    self.output = output
    self.display = display
    builtIns = settings.builtIns
    do {
      var options = HostOptions()
      let level = display.logLevel.level
      options.logger = Logger(label: "moonwire") { _ in
        OutputLogHandler(logLevel: level, ring: LogRing(), show: { output.printLog($0) })
      }
      settings.set(in: &options, for: directory)
      let configured = settings.moduleSettings.configured
      if let report = configured.report(reading: settings.moduleSettings.file) {
        throw Self.refused(report, ExitStatus.noInput, output, display)
      }
      self.settings = configured
      options.settings = configured.source
      options.linkedDirectories = links.directories
      change(&options)
      self.options = options
      if let report = HostSettings.grantsReport(for: directory) {
        output.printNotice(report)
      }
      let host = try Host(directory: directory, options: options)
      self.host = host
      let termination = Termination(host, TerminalModes(), report: { _ in })
      Signals.listen { number in termination.end(signal: number) }
      // A session that is only inspected keeps nothing.
      try await settings.builtIns.add(to: host, showingOn: output, keepingIn: nil)
      try await host.load()
    } catch let error as FilesError {
      throw Self.refused(error.startReport, ExitStatus.noInput, output, display)
    } catch let error as HostError {
      throw Self.refused(error.report, ExitStatus.internalError, output, display)
    }
  }

  /// Adds the built-in modules to another host, which keeps nothing.
  ///
  /// - Throws: ``HostError``.
  func addBuiltIns(to host: Host) async throws {
    try await builtIns.add(to: host, showingOn: output, keepingIn: nil)
  }

  /// Reports the problems of modules, whose registrations are then missing.
  func reportProblems() async {
    let (modules, strays) = await host.perform { ($0.moduleInfos(), $0.strayProblems()) }
    for report in modules.flatMap({ ModuleProblem.reports($0.problems, running: nil) })
      + strays.map(\.report)
    {
      output.printNotice(report)
    }
  }

  /// Reports why there is no answer; returns the error to throw.
  func refusal(_ report: Report, _ code: Int32) -> ExitCode {
    Self.refused(report, code, output, display)
  }

  private static func refused(
    _ report: Report, _ code: Int32, _ output: TerminalOutput, _ display: DisplayOptions
  ) -> ExitCode {
    output.report(report, inJSON: display.json)
    return ExitCode(code)
  }
}
