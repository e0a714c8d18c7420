import Moonwire

/// What a run does.
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

  /// What it means that a file isn't there.
  enum MissingFile: Sendable {
    case error
    /// The run begins anew.
    case newState
  }

  /// How changed files are noticed.
  enum Watching: Sendable {
    case off
    case automatic
    case polling
  }

  /// How results are written.
  enum Format: Sendable {
    /// For people.
    case text
    /// For programs: one JSON object a line.
    case json
  }

  /// Actions to dispatch instead of reading lines.
  var actions: [Action] = []
  /// The file with the state to begin with.
  var restoreFile: String?
  /// What a file that isn't there means.
  var missingRestoreFile = MissingFile.error
  /// The file to write the state to at the end.
  var stateFile: String?
  /// What modules may use; of two settings for the same limit, the later one counts.
  var limits: [LimitSetting] = []
  /// The directories outside that symbolic links may lead into.
  var linkedDirectories: [String] = []
  var problems = Problems.shown
  var failures = Failures.stop
  var watching = Watching.automatic
  var format = Format.text
  var logLevel = LogLevel.info
}
