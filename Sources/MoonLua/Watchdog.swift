import CMoonLua

/// Ends calls into Lua that exceed their budget or are interrupted.
///
/// One watchdog serves all machines of a thread.
// Sendable: the pointer is constant, and the C functions lock the state they share.
package final class Watchdog: @unchecked Sendable {
  let pointer: OpaquePointer

  /// The time between two checks, which is the error of a budget.
  package static let interval = Duration.milliseconds(4)
  /// The time a killed call has to end by itself: longer than a garbage collection of a full
  /// machine.
  package static let grace = Duration.milliseconds(300)

  /// Whether a killed call can be abandoned within Lua's own code.
  ///
  /// The compiler, the collector and a few library functions can run for minutes without reaching a
  /// next instruction. On processors other than x86-64 and AArch64, and if Lua is linked
  /// statically, a killed call ends only after they have finished.
  package static var canAbandon: Bool { moon_watchdog_can_abandon() }

  /// Starts the watchdog's thread; returns nil if the system has none left.
  package init?(interval: Duration = Watchdog.interval, grace: Duration = Watchdog.grace) {
    let microseconds = UInt32(clamping: Int64(interval / .microseconds(1)))
    let milliseconds = UInt32(clamping: Int64(grace / .milliseconds(1)))
    guard let pointer = moon_watchdog_new(microseconds, milliseconds) else { return nil }
    self.pointer = pointer
  }

  deinit { moon_watchdog_free(pointer) }

  /// The time on the clock that budgets are measured with.
  ///
  /// It stands still while the process is stopped. It runs while a call is under way, and while it
  /// is held; otherwise it may stand still.
  package var clock: Duration { .nanoseconds(nanoseconds) }

  /// The time on that clock in nanoseconds.
  package var nanoseconds: Int64 {
    Int64(truncatingIfNeeded: moon_watchdog_clock_us(pointer)) &* 1000
  }

  /// Holds the clock, so that it runs without a call, or lets go of it.
  package func holdClock(_ holds: Bool) { moon_watchdog_hold_clock(pointer, holds ? 1 : -1) }

  /// Ends the call under way with ``LuaError/interrupted(_:)``; returns false if there is none.
  ///
  /// If there is one, `before` is called first.
  @discardableResult
  package func interrupt(_ before: () -> Void = {}) -> Bool {
    withoutActuallyEscaping(before) { before in
      var before = before
      return withUnsafeMutablePointer(to: &before) { context in
        moon_watchdog_interrupt(
          pointer, { $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, context)
      }
    }
  }
}
