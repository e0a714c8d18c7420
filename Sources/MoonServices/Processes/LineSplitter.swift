/// Splits pieces of output into lines, which end with a line feed, optionally after a carriage
/// return.
package struct LineSplitter: Sendable {
  /// The maximum number of bytes of a line of a program.
  package static let bytesMax = 1 << 20

  private let limit: Int
  /// The beginning of an unfinished line.
  private(set) var rest: [UInt8] = []

  package init(bytesMax: Int = Self.bytesMax) { limit = bytesMax }

  /// Adds a piece and returns the completed lines, without their ends; nil if a line is longer than
  /// the limit.
  package mutating func lines(adding piece: [UInt8]) -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    var start = piece.startIndex
    while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
      rest += piece[start..<end]
      guard rest.count <= limit else { return nil }
      if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
      lines.append(rest)
      rest = []
      start = end + 1
    }
    rest += piece[start...]
    return rest.count <= limit ? lines : nil
  }
}
