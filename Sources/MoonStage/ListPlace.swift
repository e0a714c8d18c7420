import Moonwire

/// Where a list of which only some rows are drawn lies on its screen.
struct ListPlace: Equatable {
  let list: CardList
  /// The line of its first row.
  let start: Int
  /// The number of lines of a row that isn't drawn.
  let height: Int

  init(_ list: CardList, _ unseen: UnseenLines) {
    self.list = list
    height = max(1, unseen.count / max(1, list.rowCount - list.rows.count))
    start =
      list.rows.lowerBound > 0 ? unseen.first : unseen.first - list.rows.count * height
  }

  /// The lines of the rows that are drawn.
  var drawnLines: Range<Int> {
    start + list.rows.lowerBound * height..<start + list.rows.upperBound * height
  }

  /// The lines of all rows.
  var lines: Range<Int> { start..<start + list.rowCount * height }

  /// Returns the lines of a row, counted from 0.
  func lines(ofRow row: Int) -> Range<Int> { start + row * height..<start + (row + 1) * height }

  /// Returns the row of a line, from 0; the nearest one for a line elsewhere.
  func row(ofLine line: Int) -> Int {
    min(max(0, (line - start) / height), max(0, list.rowCount - 1))
  }
}

/// The lines that stand for the rows of a list that aren't drawn.
struct UnseenLines {
  let first: Int
  private(set) var count = 0

  init(first: Int) { self.first = first }

  mutating func takeLine() { count += 1 }
}
