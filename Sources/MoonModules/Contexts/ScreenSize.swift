/// The room that a terminal has for a screen.
package struct ScreenSize: Hashable, Sendable {
  /// The maximum of each number.
  package static let max = 10_000

  /// The number of columns, at least 1.
  package let columns: Int
  /// The number of rows, at least 1.
  package let rows: Int

  /// Makes a size from two numbers, each replaced by the nearest possible one.
  package init(columns: Int, rows: Int) {
    self.columns = min(Swift.max(1, columns), Self.max)
    self.rows = min(Swift.max(1, rows), Self.max)
  }
}
