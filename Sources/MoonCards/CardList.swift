package import MoonValues

/// A list of which a card has only the rows that are to be seen.
package struct CardList: Equatable, Sendable {
  /// The maximum number of rows.
  package static let rowCountMax = 100_000

  /// Its id in the card.
  package let id: Text
  /// The number of all rows.
  package let rowCount: Int
  /// The indices of the rows that the card has, from 0.
  package let rows: Range<Int>
  /// Its number among the card's lists, from 1; 0 if it isn't seen.
  package internal(set) var number = 0

  init(id: Text, rowCount: Int, rows: Range<Int>) {
    (self.id, self.rowCount, self.rows) = (id, rowCount, rows)
  }
}
