import Moonwire

/// What came of a line.
enum Reply: Sendable {
  /// The line asked for nothing.
  case nothing
  /// An action was carried out.
  case dispatched(String, Outcome)
  /// Lua was evaluated; the state may have changed.
  case evaluated([EvaluatedValue], Diff)
  /// The state, or a part of it.
  case state(Path, Value)
  /// The modules, and what is wrong with files that belong to none.
  case modules([ModuleInfo], strays: [ModuleProblem])
  /// Actions.
  case actions([ActionInfo])
  /// Lines of the log, oldest first.
  case log([LogLine])
  /// Actions and what became of them, oldest first.
  case history([History.Entry])
  /// Modules were loaded again.
  case reloaded([HostEvent])
  /// Suspended modules are called again.
  case resumed([ModuleName])
  /// An explanation is wanted.
  case help(PromptCommand?)
  /// It's over.
  case leave

  /// Whether something that followed has failed.
  var hasFailures: Bool {
    switch self {
    case .dispatched(_, let outcome): !outcome.failures.isEmpty || !outcome.faults.isEmpty
    case .reloaded(let events):
      events.contains { event in
        switch event {
        case .failed, .directoryLost, .fault, .dispatchFailed: true
        default: false
        }
      }
    default: false
    }
  }
}
