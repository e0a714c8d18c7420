/// The clock that budgets are measured with.
///
/// A budget is time in which code could run, so the clock stands still while the process is
/// stopped.
package struct BudgetClock {
  /// The time on the clock; only differences mean something.
  let now: () -> Duration
  /// Called with true when the clock has to run, and with false when it may stand still.
  let hold: (Bool) -> Void

  /// Makes a clock.
  package init(now: @escaping () -> Duration, hold: @escaping (Bool) -> Void) {
    self.now = now
    self.hold = hold
  }

  /// A clock that never stands still.
  package static var continuous: BudgetClock {
    let start = ContinuousClock.now
    return BudgetClock(now: { ContinuousClock.now - start }, hold: { _ in })
  }
}
