package import MoonTerminal

/// The terminal of another program, which shows what a host prints for it.
package struct DistantTerminal: Sendable {
  /// The streams of a program.
  package enum Stream: String, Sendable {
    /// Answers.
    case result
    /// Everything else, such as reports.
    case notice
  }

  /// The width of lines; nil if it isn't known.
  package var columns: Int?
  /// The number of lines; nil if answers may have any number.
  package var rows: Int?
  package var style = Style.plain
  /// Shows text, without a final line feed.
  package let show: @Sendable (String, Stream) -> Void

  package init(
    columns: Int? = nil, rows: Int? = nil, style: Style = .plain,
    show: @escaping @Sendable (String, Stream) -> Void
  ) {
    (self.columns, self.rows, self.style, self.show) = (columns, rows, style, show)
  }
}
