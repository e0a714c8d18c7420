/// The lines around one line of a source file.
package struct Excerpt: Sendable, Equatable {
  /// The line number of the first line in ``lines``.
  package let firstLine: Int
  /// The lines without their line breaks.
  package let lines: [String]
  /// The number of the line that the excerpt is about.
  package let line: Int

  /// The number of lines shown before that line, and after it.
  package static let contextMax = 2

  /// Extracts the lines around `line` from a text; nil if the text has no such line.
  package init?(of source: [UInt8], line: Int) {
    let all = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard line >= 1, line <= all.count else { return nil }
    let first = max(1, line - Self.contextMax)
    let last = min(all.count, line + Self.contextMax)
    firstLine = first
    self.line = line
    lines = all[(first - 1)..<last].map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
  }
}
