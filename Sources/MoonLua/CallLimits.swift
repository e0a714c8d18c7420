import CMoonLua

/// How a call into Lua is made: how long it may take and what it may depend on.
package struct CallLimits: Sendable {
  /// Whether clocks, randomness and effects are out of reach, so that a replay gives the same.
  package enum Purity: Sendable {
    /// `seed` is that of `moon.random`.
    case pure(seed: UInt64)
    case impure
  }

  /// How long the call may run; zero for as long as it likes.
  package let budgetMilliseconds: UInt32
  package var purity: Purity
  /// What runs, as errors say it: "a reducer".
  package let entry: StaticString

  package init(budget: Duration, purity: Purity, entry: StaticString) {
    let (seconds, attoseconds) = budget.components
    let milliseconds =
      UInt64(clamping: min(seconds, Int64(UInt32.max))) * 1000
      + UInt64(clamping: attoseconds) / 1_000_000_000_000_000
    // A budget too short to be counted isn't none.
    budgetMilliseconds = UInt32(clamping: budget > .zero ? max(milliseconds, 1) : 0)
    self.purity = purity
    self.entry = entry
  }

  /// The same for the C side.
  ///
  /// `place` is where the results will be kept, for errors.
  func call(place: UnsafePointer<CChar>? = nil) -> moon_call {
    var call = moon_call()
    call.budget_ms = budgetMilliseconds
    if case .pure(let seed) = purity {
      call.pure = true
      call.random = seed
    }
    call.entry = UnsafeRawPointer(entry.utf8Start).assumingMemoryBound(to: CChar.self)
    call.place = place
    return call
  }
}

/// Makes the n-th allocation of a machine fail, to test what happens then.
package struct AllocationFault: Sendable {
  package let number: UInt64
  /// Whether all later ones fail as well.
  package let isLasting: Bool

  package init(number: UInt64, isLasting: Bool) {
    self.number = number
    self.isLasting = isLasting
  }
}
