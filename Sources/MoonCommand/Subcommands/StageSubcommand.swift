import ArgumentParser
import Glibc
import MoonLink
import MoonPrompt
import MoonStage
import MoonTerminal
import Moonwire

/// Shows an app on the whole terminal.
struct StageSubcommand: AsyncParsableCommand, HostCommand {
  static let configuration = CommandConfiguration(
    commandName: "stage",
    abstract: "Shows an app on the whole terminal, to be used by keys and the mouse.",
    discussion: """
      The app is that of a running host, or else a host of its own runs the directory, as \
      moonwire run --stage does. A saved file takes effect at once.

      Tab and the arrows move, Enter taps, Esc goes back, : opens the prompt, ? lists the keys, \
      and q leaves. moonwire help Stage is the guide.
      """)

  @Argument(
    help: ArgumentHelp(
      "The directory with the modules, or the socket of a host.", valueName: "directory"),
    completion: .directory)
  var place: String

  @OptionGroup var options: StageOptions

  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var keys: KeysOption

  func run() async throws {
    let environment = ProcessEnvironment.variables
    let face = try face(environment)
    let named: RunningHost
    do throws(HostChoiceError) {
      named = try RunningHost(place, environment)
    } catch {
      try refuse(error.report, error.code)
    }
    do throws(LinkError) {
      let host = try StageHost(at: named.path)
      // Nobody is there to see that a picture doesn't come.
      if options.once { try await host.check() }
      try await show(host, on: face)
    } catch {
      guard case .noHost = error, let directory = named.directory else {
        try refuse(named.report(on: error), error.code)
      }
      try await runOwn(directory, on: face)
    }
  }

  private func face(_ environment: [String: String]) throws -> StageFace {
    do throws(StageOptions.Problem) {
      return try options.face(environment)
    } catch {
      try refuse(error.report, ExitStatus.usageError)
    }
  }

  private func show(_ host: StageHost, on face: StageFace) async throws(LinkError) {
    let terminal = TerminalModes()
    Signals.listen { number in
      face.end()
      terminal.restore()
      _exit(ExitStatus.signal(number))
    }
    do throws(StageTerminal.Problem) {
      try await face.show(host)
    } catch {
      try? Output(descriptor: STDERR_FILENO).write(error.report.text(.plain) + "\n")
    }
  }

  private func runOwn(_ directory: String, on face: StageFace) async throws {
    var run = RunOptions(settings)
    run.keysFile = keys.file
    let code = await Run.stage(on: face, directory: directory, run)
    if code != 0 { throw ExitCode(code) }
  }

  private func refuse(_ report: Report, _ code: Int32) throws -> Never {
    try? Output(descriptor: STDERR_FILENO).write(report.text(.plain) + "\n")
    throw ExitCode(code)
  }
}

extension Run {
  /// Runs an app that is shown by a stage; returns the exit code.
  static func stage(
    on face: StageFace, directory: String, _ options: RunOptions
  ) async -> Int32 {
    let environment = ProcessEnvironment.variables
    var options = options
    let serving = Serving(.stage(face), ServingOutput(on: face), Supervisor([:]))
    options.serving = serving
    let source = LineSource(reading: false, environment: environment, color: .never)
    return await Run(
      directory: directory, options: options, output: serving.output.terminal, source: source,
      snapshots: SnapshotBox(), terminal: TerminalModes()
    ).run()
  }
}
