/// A limit on how much is written for a module in a second, beyond which the rest is dropped and
/// counted.
package struct RateLimit {
  /// The decision about an entry.
  package enum Verdict: Equatable {
    case kept
    /// The entry is kept, after `dropped` entries that weren't.
    case keptAfter(dropped: Int)
    /// The entry is the first that isn't kept.
    case firstDropped
    case dropped
  }

  private let countMax: Int
  private let bytesMax: Int
  private var windowEnd: ContinuousClock.Instant?
  private var byteCount = 0
  private var count = 0
  private var droppedCount = 0

  /// Allows so many entries and bytes in a second.
  package init(countMax: Int, bytesMax: Int = .max) {
    (self.countMax, self.bytesMax) = (countMax, bytesMax)
  }

  /// Counts an entry of this number of bytes, and decides about it.
  package mutating func count(
    bytes: Int = 0, at now: ContinuousClock.Instant = .now
  ) -> Verdict {
    var dropped = 0
    if windowEnd.map({ now >= $0 }) ?? true {
      dropped = droppedCount
      self = RateLimit(countMax: countMax, bytesMax: bytesMax)
      windowEnd = now + .seconds(1)
    }
    // After the first dropped entry all are dropped, so that a second has no gaps.
    guard droppedCount == 0, count < countMax, bytes <= bytesMax - byteCount else {
      droppedCount += 1
      return droppedCount == 1 ? .firstDropped : .dropped
    }
    count += 1
    byteCount += bytes
    return dropped > 0 ? .keptAfter(dropped: dropped) : .kept
  }
}
