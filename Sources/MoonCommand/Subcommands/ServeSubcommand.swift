import ArgumentParser
import MoonLink
import MoonPrompt
import MoonTerminal
import Moonwire

/// Runs a directory of scripts without a prompt, for other programs.
struct ServeSubcommand: AsyncParsableCommand, HostCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Runs a directory of modules without a prompt, until it is ended.",
    discussion: """
      Standard input isn't read. The log, reloads and faults go to standard error, each line with \
      the time; with --json, they go to standard output as records.

      Other programs use the host at a socket, as moonwire attach does. SIGHUP reloads all \
      modules; SIGTERM ends the host, as do SIGINT and SIGQUIT. A service manager such as systemd \
      is told when the host is ready, reloads and ends, and that it works.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @Option(
    help: ArgumentHelp(
      """
      The socket to serve at, in place of the one in XDG_RUNTIME_DIR that is named by the \
      directory.
      """, valueName: "path"))
  var socket: String?

  @Flag(help: "Serve one program on standard input and output, and end with its input.")
  var stdio = false

  @OptionGroup var journal: JournalOptions

  @Flag(help: "Exit with 65, before anything runs, if a module has a problem.")
  var strict = false

  @Flag(help: "Don't reload modules whose files change.")
  var noWatch = false

  @Flag(help: "Check for changed files twice a second instead of using the system's notifications.")
  var poll = false

  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var keys: KeysOption

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    if stdio, socket != nil { throw ValidationError("--stdio and --socket can't go together") }
    if socket == "" { throw ValidationError("the path of the socket is empty") }
  }

  func run() async throws {
    let environment = ProcessEnvironment.variables
    let place =
      socket.map { SocketPlace(path: $0) } ?? SocketPlace(of: scripts.directory, environment)
    let format: OutputFormat = display.json ? .json : .text
    let serving = Serving(
      stdio ? .standardStreams : .socket(place),
      ServingOutput(format, usesStandardOutput: !stdio), Supervisor(environment))
    var options = RunOptions(settings)
    options.journal = journal.setting
    options.keysFile = keys.file
    options.linkedDirectories = scripts.linkedDirectories
    options.problems = strict ? .refused : .shown
    options.watching = noWatch ? .off : poll ? .polling : .automatic
    options.format = format
    options.logLevel = display.logLevel
    options.serving = serving
    let snapshots = SnapshotBox()
    let source = LineSource(reading: false, environment: environment, color: .never)
    let run = Run(
      directory: scripts.directory, options: options, output: serving.output.terminal,
      source: source, snapshots: snapshots, terminal: TerminalModes())
    let code = await run.run()
    if code != 0 { throw ExitCode(code) }
  }
}
