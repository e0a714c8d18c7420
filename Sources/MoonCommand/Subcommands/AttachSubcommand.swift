import ArgumentParser
import Glibc
import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire
import Synchronization

/// A prompt on a running host.
struct AttachSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Opens the prompt of a host that runs under moonwire serve.",
    discussion: """
      Lines are those of moonwire run, and the host carries them out. Ctrl-C ends the running \
      line, Ctrl-D leaves, and the host goes on. If it ends, its next start is waited for.

      Piped input is a script, as for moonwire run.
      """)

  @OptionGroup var place: HostArgument

  @Option(help: "When to use colours: auto, always or never. auto respects NO_COLOR.")
  var color = ColorOption.auto

  func run() async throws {
    let environment = ProcessEnvironment.variables
    let named = try place.host(environment)
    let terminal = TerminalModes()
    let attached = Attached()
    let source = LineSource(reading: true, environment: environment, color: color.mode) {
      attached.host?.completion(of: $0, cursor: $1) ?? .none
    }
    let output = TerminalOutput(
      editor: source.editor, color: color.mode, environment: environment)
    if let error = source.takeHistoryFailure() { output.printNotice(error.report) }
    let host = AttachedHost(at: named.path, output, source.editor)
    attached.set(host)
    do throws(LinkError) {
      try await host.connect()
    } catch {
      output.printNotice(named.report(on: error))
      throw ExitCode(error.code)
    }
    Signals.listen { number in
      if number == SIGINT { return host.interrupt() }
      host.close()
      terminal.restore()
      _exit(ExitStatus.signal(number))
    }
    let code = await AttachedPrompt(host: host, source: source).run()
    host.close()
    if code != 0 { throw ExitCode(code) }
  }
}

/// The argument that names a running host.
struct HostArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      The directory that the host serves, or its socket. Without it, the only host that runs.
      """, valueName: "host"), completion: .directory)
  var name: String?

  /// The host that it names.
  func host(_ environment: [String: String]) throws -> RunningHost {
    do throws(HostChoiceError) {
      return try RunningHost(name, environment)
    } catch {
      try? Output(descriptor: STDERR_FILENO).write(error.report.text(.plain) + "\n")
      throw ExitCode(error.code)
    }
  }
}

/// The host once it is known, for the completion.
private final class Attached: Sendable {
  private let contents = Mutex<AttachedHost?>(nil)

  var host: AttachedHost? { contents.withLock { $0 } }

  func set(_ host: AttachedHost) { contents.withLock { $0 = host } }
}
