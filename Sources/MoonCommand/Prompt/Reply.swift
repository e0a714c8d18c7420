import Moonwire

/// What came of a line.
enum Reply: Sendable {
  /// The line asked for nothing.
  case nothing
  /// An action was carried out.
  case dispatched(String, Outcome)
  /// Lua was evaluated; the state may have changed.
  case evaluated([EvaluatedValue], StateStep)
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
  /// What `:open`, `:tap` or `:back` led to.
  case did(PromptCommand, Outcome)
  /// What is filled in on the screen on top.
  case filled(Map)
  /// A screen; nil if none is shown.
  case screen(ScreenSight?)
  /// Where the app is.
  case navigation(NavigationTree)
  /// The patterns of URLs.
  case routes([RouteInfo], [RouteConflict])
  /// What takes a URL, and what doesn't.
  case explained(Text, RouteExplanation)
  /// An explanation is wanted.
  case help(PromptCommand?)
  /// It's over.
  case leave

  /// Whether the app is somewhere else than before.
  var hasMoved: Bool {
    switch self {
    case .dispatched(_, let outcome), .did(_, let outcome):
      StateStep(outcome).newNavigation != nil
    case .evaluated(_, let step): step.newNavigation != nil
    default: false
    }
  }

  /// Whether something that followed has failed.
  var hasFailures: Bool {
    switch self {
    case .dispatched(_, let outcome), .did(_, let outcome):
      !outcome.failures.isEmpty || !outcome.faults.isEmpty
    case .screen(let sight): sight?.shown.failure != nil
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
