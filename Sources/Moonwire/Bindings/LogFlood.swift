/// How much one module may log: what is beyond that is dropped and counted.
///
/// A loop that prints would else fill a disk, and hide what the others have to say.
struct LogFlood {
  /// How many lines a module may log in a second; nobody reads more.
  static let linesMax = 1_000

  /// What becomes of a line.
  enum Verdict: Equatable {
    case logged
    /// It is logged, and so many before it weren't.
    case loggedAfter(dropped: Int)
    /// It is the first that isn't logged.
    case firstDropped
    case dropped
  }

  private var windowEnd: ContinuousClock.Instant?
  private var lineCount = 0

  /// Counts a line that comes now.
  mutating func count(at now: ContinuousClock.Instant = .now) -> Verdict {
    if let windowEnd, now < windowEnd {
      lineCount += 1
      if lineCount <= Self.linesMax { return .logged }
      return lineCount == Self.linesMax + 1 ? .firstDropped : .dropped
    }
    let dropped = max(0, lineCount - Self.linesMax)
    windowEnd = now + .seconds(1)
    lineCount = 1
    return dropped > 0 ? .loggedAfter(dropped: dropped) : .logged
  }
}
