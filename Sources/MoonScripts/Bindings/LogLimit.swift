/// The rate limit on the log of one module, beyond which lines are dropped and counted.
///
/// Without a limit, a loop that prints could fill the disk and hide the lines of other modules.
struct LogLimit {
  /// The maximum number of lines in a second, more than anyone reads.
  static let linesMax = 1_000
  /// The maximum number of bytes in a second, for the same reason.
  static let bytesMax = 1 << 20
  /// The maximum number of bytes of a line.
  ///
  /// The log keeps many lines.
  static let lineBytesMax = 16 << 10

  /// The decision about a line.
  enum Verdict: Equatable {
    case logged
    /// The line is logged, after `dropped` lines that weren't.
    case loggedAfter(dropped: Int)
    /// The line is the first that isn't logged.
    case firstDropped
    case dropped
  }

  private var windowEnd: ContinuousClock.Instant?
  private var byteCount = 0
  private var lineCount = 0
  private var droppedCount = 0

  /// Counts a line of this number of bytes, and decides about it.
  mutating func count(bytes: Int, at now: ContinuousClock.Instant = .now) -> Verdict {
    var dropped = 0
    if windowEnd.map({ now >= $0 }) ?? true {
      dropped = droppedCount
      self = LogLimit()
      windowEnd = now + .seconds(1)
    }
    // After the first dropped line all are dropped, so that a second of the log has no gaps.
    guard droppedCount == 0, lineCount < Self.linesMax, byteCount + bytes <= Self.bytesMax else {
      droppedCount += 1
      return droppedCount == 1 ? .firstDropped : .dropped
    }
    lineCount += 1
    byteCount += bytes
    return dropped > 0 ? .loggedAfter(dropped: dropped) : .logged
  }

  /// Returns a line for the log, shortened if it is too long.
  ///
  /// A mark shows where it was cut.
  static func shortened(_ text: String) -> String {
    let count = text.utf8.count
    guard count > lineBytesMax else { return text }
    return String(decoding: text.utf8.prefix(lineBytesMax), as: UTF8.self)
      + "… (\(count - lineBytesMax) bytes more)"
  }
}
