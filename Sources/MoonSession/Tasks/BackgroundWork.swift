public import MoonValues

/// What tasks have done that nobody waited for.
public struct BackgroundWork: Sendable {
  /// How many faults and failures are kept, each.
  static let countMax = 100

  /// What went wrong in tasks and in listeners, the first ones.
  public internal(set) var faults: [Fault] = []
  /// Actions of tasks that failed, the first ones.
  public internal(set) var failures: [FollowingFailure] = []
  /// The state before the first change and after the last; nil without a change.
  public internal(set) var states: (before: Value, after: Value)?
  /// The tasks that run.
  public internal(set) var running: [TaskInfo] = []

  /// Nothing.
  public init() {}

  mutating func add(_ outcome: Outcome) {
    if outcome.hasChangedState { states = (states?.before ?? outcome.before, outcome.after) }
    faults = Array((faults + outcome.faults).prefix(Self.countMax))
    failures = Array((failures + outcome.failures).prefix(Self.countMax))
  }
}
