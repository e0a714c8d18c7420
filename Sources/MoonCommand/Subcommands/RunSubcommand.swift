import ArgumentParser
import Glibc
import MoonTerminal
import Moonwire

/// Runs a directory of scripts.
struct RunSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: Messages.runAbstract, discussion: Messages.runDiscussion)

  @OptionGroup var scripts: DirectoryArgument

  @Option(
    name: .customLong("dispatch"), parsing: .singleValue,
    help: ArgumentHelp(Messages.dispatchHelp, valueName: "action"))
  var dispatches: [String] = []

  @Option(
    name: .customLong("state"), help: ArgumentHelp(Messages.stateHelp, valueName: "file"))
  var stateFile: String?

  @Option(
    name: .customLong("restore"), help: ArgumentHelp(Messages.restoreHelp, valueName: "file"))
  var restoreFile: String?

  @Option(
    name: .customLong("restore-if-there"),
    help: ArgumentHelp(Messages.restoreIfThereHelp, valueName: "file"))
  var restoreFileIfThere: String?

  @Flag(help: "Stop with code 65 before anything runs if a module has a problem.")
  var strict = false

  @Flag(help: "Go on after an error in a script; the code is 65 at the end.")
  var keepGoing = false

  @Flag(help: "Don't reload modules whose files change.")
  var noWatch = false

  @Flag(help: "Look for changed files twice a second instead of being told by the system.")
  var poll = false

  @OptionGroup var limits: LimitOptions

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    if restoreFile != nil, restoreFileIfThere != nil {
      throw ValidationError(Messages.restoredTwice)
    }
    for text in dispatches {
      do throws(PromptLineError) {
        guard case .dispatch = try PromptLine(parsing: text) else {
          throw PromptLineError(reason: .notAnAction(text, .action), column: 1)
        }
      } catch {
        throw ValidationError("--dispatch '\(text)': \(Messages.line(error).text(.plain))")
      }
    }
  }

  func run() async throws {
    let environment = DisplayOptions.environment
    let snapshots = SnapshotBox()
    let terminal = TerminalModes()
    let source = LineSource(
      reading: dispatches.isEmpty, environment: environment, color: display.color.mode,
      snapshots: snapshots)
    let output = TerminalOutput(
      editor: source.editor, color: display.color.mode, environment: environment)
    if let error = source.takeHistoryFailure() { output.printNotice(Messages.history(error)) }
    let run = Run(
      directory: scripts.directory, options: options, output: output, source: source,
      snapshots: snapshots, terminal: terminal)
    let code = await run.run()
    if code != 0 { throw ExitCode(code) }
  }

  private var options: RunOptions {
    var options = RunOptions()
    options.actions = dispatches.compactMap { text in
      if case .dispatch(let action) = try? PromptLine(parsing: text) { action } else { nil }
    }
    options.stateFile = stateFile
    options.limits = limits.settings
    options.restoreFile = restoreFile ?? restoreFileIfThere
    options.missingRestoreFile = restoreFileIfThere == nil ? .error : .newState
    options.problems = strict ? .refused : .shown
    options.failures = keepGoing ? .proceed : .stop
    options.watching = noWatch ? .off : poll ? .polling : .automatic
    options.format = display.json ? .json : .text
    options.logLevel = display.logLevel
    return options
  }
}
