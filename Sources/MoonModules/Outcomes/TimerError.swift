import MoonValues

/// The reason that a timer wasn't started.
public enum TimerError: Error, Sendable, Equatable {
  /// The time isn't between `min` and 1,000,000,000 s.
  case timeOutOfRange(min: Duration)
  /// The action couldn't be dispatched now, and couldn't be later.
  case action(DispatchError)
  /// The module has as many tasks as it may.
  case refused(String)
  /// A view tried to start it; views are read-only.
  case readOnlyView
}

extension TimerError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .timeOutOfRange(let min):
      "a timer takes a time from \(Wording.time(min)) to \(Schedule.secondsMax) s"
    case .action(let error): error.description
    case .refused(let reason): reason
    case .readOnlyView: "a view only shows: it can't start timers"
    }
  }
}
