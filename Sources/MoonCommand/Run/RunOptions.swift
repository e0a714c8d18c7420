import MoonPrompt
import Moonwire

/// The options of a run.
struct RunOptions: Sendable {
  /// The effect of a module with problems.
  enum Problems: Sendable {
    /// The problems are shown, and the other modules run.
    case shown
    /// Nothing runs.
    case refused
  }

  /// The effect of an error in a script.
  enum Failures: Sendable {
    /// The run ends.
    case stop
    /// The next line is carried out.
    case proceed
  }

  /// The effect of a missing file.
  enum MissingFile: Sendable {
    case error
    /// The run starts with a new state.
    case newState
  }

  /// A file with the state to restore.
  struct Restoring: Sendable {
    let path: String
    let missing: MissingFile
  }

  /// The way of finding changed files.
  enum Watching: Sendable {
    case off
    case automatic
    case polling
  }

  /// Lines to carry out instead of reading some.
  var lines: [String] = []
  /// The state to restore.
  var restoring: Restoring?
  /// The file to write the state to at the end.
  var stateFile: String?
  /// The journal of the run; nil for none.
  var journal: JournalSetting?
  /// The file of the person's keys, if it isn't the usual one.
  var keysFile: String?
  /// Whether a later run can go on with what is kept.
  var keepsJournal: Bool {
    switch journal?.place {
    case .new, .existing, .kept, .last: true
    case nil, .recording: false
    }
  }
  /// What serves other programs, in place of lines; nil for a run that reads lines.
  var serving: Serving?
  /// The maximum wait of a script for the tasks that a line started.
  var taskWaitMax = Duration.seconds(30)
  /// The limits and grants of modules, and the rules for URLs.
  ///
  /// The later of two settings for the same limit or rule applies.
  let settings: HostSettings
  /// The directories outside the script directory that symbolic links may lead into.
  var linkedDirectories: [String] = []
  var problems = Problems.shown
  var failures = Failures.stop
  var watching = Watching.automatic
  var format = OutputFormat.text
  var logLevel = LogLevel.info

  init(_ settings: HostSettings) { self.settings = settings }
}
