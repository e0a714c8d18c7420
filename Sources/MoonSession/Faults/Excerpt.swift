/// Lines of a source file around one that matters.
public struct Excerpt: Sendable, Equatable {
  /// The number of the first line.
  public let firstLine: Int
  /// The lines without their ends.
  public let lines: [String]
  /// The number of the line that matters.
  public let line: Int

  /// How many lines before and after are shown.
  public static let contextMax = 2

  /// Takes the lines around `line` of a text; nil if there is no such line.
  public init?(of source: [UInt8], line: Int) {
    let all = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard line >= 1, line <= all.count else { return nil }
    let first = max(1, line - Self.contextMax)
    let last = min(all.count, line + Self.contextMax)
    firstLine = first
    self.line = line
    lines = all[(first - 1)..<last].map { String(decoding: $0, as: UTF8.self) }
  }
}
