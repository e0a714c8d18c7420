import CMoonLua

/// Ends calls into Lua that run longer than their budget, or that somebody wants stopped.
///
/// One serves all machines of a thread.
// Sendable: the pointer never changes, and the C side locks what its functions share.
package final class Watchdog: @unchecked Sendable {
  let pointer: OpaquePointer

  /// How often the call under way is looked at: the error of a budget.
  package static let interval = Duration.milliseconds(4)
  /// How long a killed call may take to end by itself: longer than collecting the garbage of a full
  /// machine takes.
  package static let grace = Duration.milliseconds(300)

  /// Whether a call can be ended while Lua's own code is at work for it.
  ///
  /// The compiler, the collector and a few library functions can take minutes without reaching a
  /// next instruction. On processors other than x86-64 and AArch64, and where Lua is linked
  /// statically, a killed call ends only after them.
  package static var canAbandon: Bool { moon_watchdog_can_abandon() }

  /// Starts the watchdog's thread; nil if the system has none left.
  package init?(interval: Duration = Watchdog.interval, grace: Duration = Watchdog.grace) {
    let microseconds = UInt32(clamping: Int64(interval / .microseconds(1)))
    let milliseconds = UInt32(clamping: Int64(grace / .milliseconds(1)))
    guard let pointer = moon_watchdog_new(microseconds, milliseconds) else { return nil }
    self.pointer = pointer
  }

  deinit { moon_watchdog_free(pointer) }

  /// Ends the call that runs now with ``LuaError/interrupted(_:)``; false if none does.
  ///
  /// `before` is called if one does, and before it can notice.
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
