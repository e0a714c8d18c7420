import CMoonLua

/// The limits of a call into Lua: its time, and what its result may depend on.
package struct CallLimits: Sendable {
  /// Whether a replay must give the same result.
  package enum Purity: Sendable {
    /// It must, which rules out clocks and effects. `seed` is the seed of `moon.random`.
    case pure(seed: UInt64)
    /// It must, but for effects: the clock of the host stands at a time, in seconds since 1970.
    case repeatable(seed: UInt64, time: Double)
    /// It needn't.
    case impure
  }

  /// How long the call may run; zero for no limit.
  package let budgetMilliseconds: UInt32
  package var purity: Purity
  /// What runs, for error messages: "a reducer".
  package let entry: StaticString

  package init(budget: Duration, purity: Purity, entry: StaticString) {
    let (seconds, attoseconds) = budget.components
    let milliseconds =
      UInt64(clamping: min(seconds, Int64(UInt32.max))) * 1000
      + UInt64(clamping: attoseconds) / 1_000_000_000_000_000
    // Zero means no limit, so a shorter budget than a millisecond is rounded up.
    budgetMilliseconds = UInt32(clamping: budget > .zero ? max(milliseconds, 1) : 0)
    self.purity = purity
    self.entry = entry
  }

  /// The limits as C takes them.
  ///
  /// `place` names where the results are kept, for error messages.
  func call(place: UnsafePointer<CChar>? = nil) -> moon_call {
    var call = moon_call()
    call.budget_ms = budgetMilliseconds
    switch purity {
    case .pure(let seed):
      call.pure = true
      call.random = seed
    case .repeatable(let seed, let time):
      call.repeatable = true
      call.random = seed
      // The range of years that the C library can write.
      call.time = time.isFinite ? min(max(time, -6e10), 2.5e11) : 0
    case .impure: break
    }
    call.entry = UnsafeRawPointer(entry.utf8Start).assumingMemoryBound(to: CChar.self)
    call.place = place
    return call
  }
}

/// Makes the n-th allocation of a machine fail, for tests.
package struct AllocationFault: Sendable {
  package let number: UInt64
  /// Whether all later ones fail as well.
  package let isLasting: Bool

  package init(number: UInt64, isLasting: Bool) {
    self.number = number
    self.isLasting = isLasting
  }
}
