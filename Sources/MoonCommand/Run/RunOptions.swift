import Moonwire

/// The options of a run.
struct RunOptions: Sendable {
  /// What happens when a module has problems.
  enum Problems: Sendable {
    /// They are shown, and the other modules run.
    case shown
    /// Nothing runs.
    case refused
  }

  /// What happens after an error in a script.
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

  /// How changed files are noticed.
  enum Watching: Sendable {
    case off
    case automatic
    case polling
  }

  /// The format of results.
  enum Format: Sendable {
    /// For people.
    case text
    /// For programs: one JSON object a line.
    case json
  }

  /// Actions to dispatch instead of reading lines.
  var actions: [Action] = []
  /// The file with the state to restore.
  var restoreFile: String?
  /// The effect of a missing state file.
  var missingRestoreFile = MissingFile.error
  /// The file to write the state to at the end.
  var stateFile: String?
  /// How long a script waits for what a line has begun.
  var patience = Duration.seconds(30)
  /// The limits of modules.
  ///
  /// The later of two settings for the same limit applies.
  var limits: [LimitSetting] = []
  /// The directories outside that symbolic links may lead into.
  var linkedDirectories: [String] = []
  var problems = Problems.shown
  var failures = Failures.stop
  var watching = Watching.automatic
  var format = Format.text
  var logLevel = LogLevel.info
}
