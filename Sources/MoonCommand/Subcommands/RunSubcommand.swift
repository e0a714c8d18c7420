import ArgumentParser
import Glibc
import MoonPrompt
import MoonStage
import MoonTerminal
import Moonwire

/// Runs a directory of scripts.
struct RunSubcommand: AsyncParsableCommand, HostCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a directory of modules, reloads them when they change, and reads lines.",
    discussion: """
      On a terminal this is a prompt: Tab completes, :help lists the commands, Ctrl-C stops \
      running code, and Ctrl-D quits. A saved file takes effect at once, and the state is kept.

      Piped input is a script of the same lines. It stops at the first error.

      Lines:
        counter/add by=2 why="fun"   dispatches an action with a payload
        counter/add {"by": 2}        the same, with the payload as JSON
        = 1 + 1                      evaluates Lua
        :state counter.count         a command; :help lists them
        :open /detail/7              routes a URL and shows its screen
        # remark                     does nothing

      The prompt's history is kept in MOONWIRE_HISTORY, or else in moonwire/history below \
      XDG_STATE_HOME (~/.local/state); MOONWIRE_HISTORY= keeps none.
      """)

  @OptionGroup var scripts: DirectoryArgument

  @Option(
    name: .customLong("dispatch"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      An action to dispatch, such as 'counter/add by=2'. May be repeated. Standard input isn't \
      read.
      """, valueName: "action"))
  var dispatches: [String] = []

  @Option(
    name: .customLong("state"),
    help: ArgumentHelp(
      """
      The file to write the whole state to as JSON at the end, replaced atomically. - means \
      standard output, and changes then go to standard error.
      """, valueName: "file"))
  var stateFile: String?

  @Option(
    name: .customLong("restore"),
    help: ArgumentHelp(
      """
      Start with the state in this file, which --state wrote. May be the same file.
      """, valueName: "file"))
  var restoreFile: String?

  @Option(
    name: .customLong("restore-if-there"),
    help: ArgumentHelp(
      "The same, but start with a new state if there is no such file.", valueName: "file"))
  var restoreFileIfThere: String?

  @OptionGroup var journal: JournalOptions

  @Flag(help: "Exit with 65, before anything runs, if a module has a problem.")
  var strict = false

  @Flag(help: "Continue after an error in a script. The exit code is still 65.")
  var keepGoing = false

  @Flag(exclusivity: .chooseFirst) var watching: WatchingFlag?

  @Option(
    help: ArgumentHelp(
      """
      How long a script, or --dispatch, waits for the effects that a line has begun, such as 500ms \
      or 30s; 0s not at all. What only an action can wake isn't waited for.
      """, valueName: "time"))
  var wait = "30s"

  @Flag(help: "Show the app on the whole terminal, as moonwire stage does, in place of a prompt.")
  var stage = false

  @OptionGroup var limits: LimitOptions

  @OptionGroup var grants: GrantOptions

  @OptionGroup var urls: URLOptions

  @OptionGroup var data: DataOption

  @OptionGroup var moduleSettings: SettingOptions

  @OptionGroup var builtIns: BuiltInOptions

  @OptionGroup var keys: KeysOption

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    if restoreFile != nil, restoreFileIfThere != nil {
      throw ValidationError("--restore and --restore-if-there can't go together")
    }
    if restoreFile != nil || restoreFileIfThere != nil, journal.setting != nil {
      throw ValidationError(
        "--restore and a journal can't go together: a journal has a state of its own")
    }
    guard Duration(option: wait) != nil else {
      throw ValidationError("--wait '\(wait)': write a time such as 500ms or 30s")
    }
    if stage, !dispatches.isEmpty || display.json {
      throw ValidationError("--stage is for a person, and can't go with --dispatch or --json")
    }
    for text in dispatches {
      do throws(PromptLineError) {
        guard case .dispatch = try PromptLine(parsing: text) else {
          throw PromptLineError(reason: .notAnAction(text, .action), column: 1)
        }
      } catch {
        throw ValidationError("--dispatch '\(text)': \(error.report.text(.plain))")
      }
    }
  }

  func run() async throws {
    guard stage else { return try await run(options) }
    do {
      let face = try StageOptions.parse(["--color", display.color.rawValue])
        .face(ProcessEnvironment.variables)
      let code = await Run.stage(on: face, directory: scripts.directory, options)
      if code != 0 { throw ExitCode(code) }
    } catch let problem as StageOptions.Problem {
      try? Output(descriptor: STDERR_FILENO).write(problem.report.text(.plain) + "\n")
      throw ExitCode(ExitStatus.usageError)
    }
  }

  /// Runs with options other than those of the command line.
  func run(_ options: RunOptions) async throws {
    let environment = ProcessEnvironment.variables
    let snapshots = SnapshotBox()
    let terminal = TerminalModes()
    let source = LineSource(
      reading: dispatches.isEmpty, environment: environment, color: display.color.mode
    ) { line, cursor in
      PromptCompleter(snapshot: snapshots.current).completion(of: line, cursor: cursor)
    }
    let output = TerminalOutput(
      editor: source.editor, color: display.color.mode, environment: environment)
    if let error = source.takeHistoryFailure() { output.printNotice(error.report) }
    let run = Run(
      directory: scripts.directory, options: options, output: output, source: source,
      snapshots: snapshots, terminal: terminal)
    let code = await run.run()
    if code != 0 { throw ExitCode(code) }
  }

  /// The options of the command line.
  var options: RunOptions {
    var options = RunOptions(settings)
    options.lines = dispatches
    options.stateFile = stateFile
    options.journal = journal.setting
    options.keysFile = keys.file
    options.taskWaitMax = Duration(option: wait) ?? options.taskWaitMax
    options.linkedDirectories = scripts.linkedDirectories
    options.restoring = (restoreFile ?? restoreFileIfThere).map {
      .init(path: $0, missing: restoreFileIfThere == nil ? .error : .newState)
    }
    options.problems = strict ? .refused : .shown
    options.failures = keepGoing ? .proceed : .stop
    options.watching = watching?.watching ?? .automatic
    options.format = display.json ? .json : .text
    options.logLevel = display.logLevel
    return options
  }
}

/// How changed files are found, if not in the usual way.
enum WatchingFlag: EnumerableFlag {
  case noWatch, poll

  static func help(for flag: Self) -> ArgumentHelp? {
    switch flag {
    case .noWatch: "Don't reload modules whose files change."
    case .poll:
      "Check for changed files twice a second instead of using the system's notifications."
    }
  }

  /// The corresponding setting of a run.
  var watching: RunOptions.Watching {
    switch self {
    case .noWatch: .off
    case .poll: .polling
    }
  }
}
