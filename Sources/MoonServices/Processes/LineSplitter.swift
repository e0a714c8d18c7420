/// Splits pieces of output into lines, which end with a line feed, optionally after a carriage
/// return.
struct LineSplitter {
  /// The maximum number of bytes of a line.
  static let bytesMax = 1 << 20

  /// The beginning of an unfinished line.
  private(set) var rest: [UInt8] = []

  /// Adds a piece and returns the completed lines, without their ends; nil if a line is longer than
  /// ``bytesMax``.
  mutating func lines(adding piece: [UInt8]) -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    var start = piece.startIndex
    while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
      rest += piece[start..<end]
      guard rest.count <= Self.bytesMax else { return nil }
      if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
      lines.append(rest)
      rest = []
      start = end + 1
    }
    rest += piece[start...]
    return rest.count <= Self.bytesMax ? lines : nil
  }
}
