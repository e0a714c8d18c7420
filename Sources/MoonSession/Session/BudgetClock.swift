import Glibc

/// The clock that measures budgets.
///
/// A budget is time in which code could run, so the clock stops while the process is stopped.
package struct BudgetClock {
  /// Returns the time; only differences are meaningful.
  let now: () -> Duration
  /// Receives true when the clock must run, and false when it may stop.
  let hold: (Bool) -> Void

  /// Makes a clock.
  package init(now: @escaping () -> Duration, hold: @escaping (Bool) -> Void) {
    self.now = now
    self.hold = hold
  }

  /// A clock that never stops.
  package static var continuous: BudgetClock {
    // Not a `ContinuousClock`, which takes 200 instructions more for a reading.
    BudgetClock(
      now: {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .nanoseconds(Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
      }, hold: { _ in })
  }
}
