import CMoonLua

/// Ends calls into Lua that run longer than their budget, or that somebody wants stopped.
///
/// One serves all machines of a thread.
// Sendable: the pointer never changes, and the C side locks what its functions share.
package final class Watchdog: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Starts the watchdog's thread; nil if the system has none left.
  package init?() {
    guard let pointer = moon_watchdog_new() else { return nil }
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
