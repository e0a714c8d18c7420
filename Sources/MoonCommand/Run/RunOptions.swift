import Moonwire

/// What a run does.
struct RunOptions: Sendable {
  /// What becomes of modules with problems.
  enum Problems: Sendable {
    /// They are told, and what is good runs.
    case shown
    /// Nothing runs.
    case refused
  }

  /// What an error in a script means.
  enum Failures: Sendable {
    /// It ends the run.
    case final
    /// The next line follows.
    case passed
  }

  /// How changed files are noticed.
  enum Watching: Sendable {
    case off
    case automatic
    case polling
  }

  /// For whom results are written.
  enum Form: Sendable {
    case text
    case json
  }

  /// What to dispatch instead of reading lines.
  var actions: [Action] = []
  /// Where the state comes from that the run begins with.
  var restoreFile: String?
  /// Where the state goes at the end.
  var stateFile: String?
  /// What modules may use, the last word last.
  var limits: [LimitSetting] = []
  var problems = Problems.shown
  var failures = Failures.final
  var watching = Watching.automatic
  var form = Form.text
  var logLevel = LogLevel.info
}
