/// A seeded generator (Steele, Lea and Flood's SplitMix64), so that a failure can be repeated.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  /// Starts over with `seed`.
  ///
  /// The same seed gives the same numbers on every machine.
  package init(seed: UInt64) {
    state = seed
  }

  /// Returns the next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 up to, but not including, `bound`, which must be positive.
  package mutating func below(_ bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &self)
  }

  /// Returns true about once in `count` times.
  package mutating func once(in count: Int) -> Bool { below(count) == 0 }

  /// Returns one of `choices`, which must not be empty.
  package mutating func pick<T>(_ choices: [T]) -> T {
    choices[below(choices.count)]
  }
}
