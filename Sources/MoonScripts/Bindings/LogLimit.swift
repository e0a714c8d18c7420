/// The limits on the log of one module.
///
/// Without a limit, a loop that prints could fill the disk and hide the lines of other modules.
enum LogLimit {
  /// The maximum number of lines in a second, more than anyone reads.
  static let linesMax = 1_000
  /// The maximum number of bytes in a second, for the same reason.
  static let bytesMax = 1 << 20
  /// The maximum number of bytes of a line.
  ///
  /// The log keeps many lines.
  static let lineBytesMax = 16 << 10

  /// The limit on what is logged in a second.
  static var rate: RateLimit { RateLimit(countMax: linesMax, bytesMax: bytesMax) }

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
