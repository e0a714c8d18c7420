import Synchronization

/// Random numbers that are the same in each run of a test.
///
/// A feature that needs randomness has a property for it, to which a test gives this:
///
/// ```swift
/// let random = SeededRandom(7)
/// let store = try await TestStore(
///   Dice(roll: {
///     var random = random
///     return Int.random(in: 1...6, using: &random)
///   }))
/// ```
public final class SeededRandom: RandomNumberGenerator, Sendable {
  private let state: Mutex<UInt64>

  /// Begins with a seed.
  public init(_ seed: UInt64) { state = Mutex(seed) }

  /// The next number.
  public func next() -> UInt64 {
    // SplitMix64.
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
