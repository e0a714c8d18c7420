public import MoonModules
public import MoonValues

/// The results of tasks that no dispatch returned.
public struct BackgroundResults: Sendable {
  /// The maximum number of faults kept, and of failures.
  static let countMax = 100

  /// The first faults of tasks and listeners.
  public internal(set) var faults: [Fault] = []
  /// The first actions of tasks that failed.
  public internal(set) var failures: [FollowingFailure] = []
  /// The state before the first change and after the last; nil if there was no change.
  public internal(set) var states: (before: Value, after: Value)?
  /// The running tasks.
  public package(set) var running: [TaskInfo] = []

  /// Makes an empty result.
  package init() {}

  package mutating func add(_ outcome: Outcome) {
    if outcome.hasChangedState { states = (states?.before ?? outcome.before, outcome.after) }
    faults = Array((faults + outcome.faults).prefix(Self.countMax))
    failures = Array((failures + outcome.failures).prefix(Self.countMax))
  }
}
