/// How much one module may log: what is beyond that is dropped and counted.
///
/// A loop that prints would else fill a disk, and hide what the others have to say.
struct LogFlood {
  /// How many lines a module may log in a second; nobody reads more.
  static let linesMax = 1_000
  /// How many bytes of lines a module may log in a second, for the same reason.
  static let bytesMax = 1 << 20
  /// How many bytes of one line are logged; more is a dump, and the log keeps many lines.
  static let lineBytesMax = 16 << 10

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
  private var byteCount = 0
  private var lineCount = 0
  private var droppedCount = 0

  /// Counts a line of so many bytes that comes now.
  mutating func count(bytes: Int, at now: ContinuousClock.Instant = .now) -> Verdict {
    var dropped = 0
    if windowEnd.map({ now >= $0 }) ?? true {
      dropped = droppedCount
      self = LogFlood()
      windowEnd = now + .seconds(1)
    }
    // Once one is dropped all are, so that no line is missing between two that are there.
    guard droppedCount == 0, lineCount < Self.linesMax, byteCount + bytes <= Self.bytesMax else {
      droppedCount += 1
      return droppedCount == 1 ? .firstDropped : .dropped
    }
    lineCount += 1
    byteCount += bytes
    return dropped > 0 ? .loggedAfter(dropped: dropped) : .logged
  }

  /// The line as it is logged: cut where it is too long, and says so.
  static func shortened(_ text: String) -> String {
    let count = text.utf8.count
    guard count > lineBytesMax else { return text }
    return String(decoding: text.utf8.prefix(lineBytesMax), as: UTF8.self)
      + "… (\(count - lineBytesMax) bytes more)"
  }
}
