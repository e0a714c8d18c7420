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
    let start = ContinuousClock.now
    return BudgetClock(now: { ContinuousClock.now - start }, hold: { _ in })
  }
}
