import Moonwire

/// A row of a list that gets the focus once it is drawn.
struct AwaitedRow: Equatable, Sendable {
  let list: Text
  /// The index of the row, from 0.
  let index: Int
  /// The column of what had the focus.
  let column: Int

  init(_ list: ListPlace, line: Int, column: Int) {
    (self.list, index, self.column) = (list.list.id, list.row(ofLine: line), column)
  }
}

/// The rows of lists that aren't drawn.
extension StageContent {
  /// Returns the list with a line that isn't drawn; nil if the line is drawn.
  func list(withUndrawnLine line: Int) -> ListPlace? {
    lists.first { $0.lines.contains(line) && !$0.drawnLines.contains(line) }
  }

  /// Returns what can be used on some lines.
  func targets(on lines: Range<Int>) -> [Int] {
    targets.indices.filter { lines.contains(targets[$0].row) }
  }

  /// Returns the lines of a row; nil if there is no such row.
  func lines(of row: AwaitedRow) -> Range<Int>? {
    guard let list = lists.first(where: { $0.list.id == row.list }), row.index < list.list.rowCount
    else { return nil }
    return list.lines(ofRow: row.index)
  }

  /// Returns what can be used on a row, nearest to the columns that the focus had; nil if the row
  /// isn't drawn.
  func target(on row: AwaitedRow) -> Int? {
    guard let lines = lines(of: row), list(withUndrawnLine: lines.lowerBound) == nil else {
      return nil
    }
    return targets(on: lines).min { left, right in
      abs(targets[left].column - row.column) < abs(targets[right].column - row.column)
    } ?? targets.lastIndex { $0.row < lines.upperBound }
  }

  /// Returns the line beyond the rows that are drawn of the list with a line; nil if something else
  /// on these rows can be used before it, or the line is in no list.
  func lineBeyondDrawnRows(from line: Int, _ step: Int) -> Int? {
    guard let list = lists.first(where: { $0.drawnLines.contains(line) }) else { return nil }
    let beyond = step > 0 ? list.drawnLines.upperBound : list.drawnLines.lowerBound - 1
    let isLast = targets.allSatisfy { target in
      step > 0
        ? target.row <= line || target.row >= beyond : target.row >= line || target.row <= beyond
    }
    return isLast ? beyond : nil
  }
}
