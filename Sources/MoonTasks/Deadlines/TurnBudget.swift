/// The count of consecutive turns of tasks, which bounds the delay of other work of the host.
package struct TurnBudget {
  /// The maximum number of turns before other work of the host.
  static let countMax = 1_000
  /// The maximum total time of these turns, in milliseconds.
  static let millisecondsMax = 100

  package static var timeMax: Duration { .milliseconds(millisecondsMax) }

  private var count = 0
  private var end = Duration.zero

  /// Makes the budget for one turn of the host.
  package init() {}

  /// Counts a turn; returns whether it may run.
  ///
  /// `now` returns the time on the clock of budgets.
  package mutating func next(_ now: () -> Duration) -> Bool {
    count += 1
    guard count > 1 else { return true }
    if count == 2 { end = now() + Self.timeMax }
    return count <= Self.countMax && now() < end
  }
}
