import Glibc

/// The clock that measures budgets.
///
/// A budget is time in which code could run, so the clock stops while the process is stopped.
package struct BudgetClock {
  /// Returns the time in nanoseconds; only differences are meaningful.
  package let nanoseconds: () -> Int64
  /// Receives true when the clock must run, and false when it may stop.
  let hold: (Bool) -> Void

  /// Makes a clock.
  package init(nanoseconds: @escaping () -> Int64, hold: @escaping (Bool) -> Void) {
    self.nanoseconds = nanoseconds
    self.hold = hold
  }

  /// A clock that never stops.
  package static var continuous: BudgetClock {
    // Not a `ContinuousClock`, which takes 200 instructions more for a reading.
    BudgetClock(
      nanoseconds: {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
      }, hold: { _ in })
  }
}

extension Duration {
  /// The nanoseconds, limited to what an integer can hold; what is less than one is left out.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let sum = whole.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
    return whole.overflow || sum.overflow ? (seconds < 0 ? .min : .max) : sum.partialValue
  }
}
