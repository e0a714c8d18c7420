import Moonwire

/// A row of a list that gets the focus once it is drawn.
struct AwaitedRow: Equatable, Sendable {
  let list: Text
  /// The index of the row, from 0.
  let index: Int
  /// The column of what had the focus.
  let column: Int
}

/// The rows of lists that a stage looks at.
extension Stage {
  /// The lines that are seen.
  var seenLines: Range<Int> {
    place.top..<min(place.top + max(1, bodyArea.height), max(place.top, content.lines.count))
  }

  // MARK: Asking

  /// Asks for the rows of lists that are seen or soon will be.
  ///
  /// The same rows are asked for once, so that two stages that look at different rows don't undo
  /// each other's wishes for ever; and others only after an answer, so that a key held down asks
  /// for what is seen in the end.
  mutating func askForRows() -> [StageEffect] {
    guard place.hunt == nil, !told.isScrolling else { return [] }
    let height = max(1, bodyArea.height)
    for list in content.lists {
      let near = place.top - height / 2..<place.top + height + height / 2
      guard near.overlaps(list.lines),
        !list.drawnLines.contains(near.clamped(to: list.lines))
      else { continue }
      let row = max(0, list.row(ofLine: place.top) - height / list.height)
      guard place.askedRows[list.list.id] != row else { continue }
      return ask(for: row, of: list)
    }
    return []
  }

  /// Asks for the rows of a list from one on, counted from 0.
  mutating func ask(for row: Int, of list: ListPlace) -> [StageEffect] {
    guard let screen = shown.screen else { return [] }
    place.askedRows[list.list.id] = row
    told.isScrolling = true
    return [.scroll(list.list.id, to: row + 1, on: screen)]
  }

  // MARK: The focus on a row that isn't drawn

  /// Returns the list with a line that isn't drawn; nil if the line is drawn.
  func list(withUndrawnLine line: Int) -> ListPlace? {
    content.lists.first { $0.lines.contains(line) && !$0.drawnLines.contains(line) }
  }

  /// The lines of the row that gets the focus once it is drawn; nil if there is none.
  var awaitedLines: Range<Int>? {
    guard let row = place.awaitedRow,
      let list = content.lists.first(where: { $0.list.id == row.list }),
      row.index < list.list.rowCount
    else { return nil }
    return list.lines(ofRow: row.index)
  }

  /// Gives the focus to the row of a line that isn't drawn, as soon as it is; returns false if the
  /// line is drawn.
  mutating func awaitRow(ofLine line: Int) -> Bool {
    guard let list = list(withUndrawnLine: line) else { return false }
    let column = place.awaitedRow?.column ?? focusedTarget?.column ?? 0
    place.awaitedRow = AwaitedRow(
      list: list.list.id, index: list.row(ofLine: line), column: column)
    keepFocusInSight()
    return true
  }

  /// Has the row with the focus get it back once it is drawn again.
  mutating func awaitFocusedRow() {
    guard let now = focusedTarget,
      let list = content.lists.first(where: { $0.drawnLines.contains(now.row) })
    else { return }
    place.awaitedRow = AwaitedRow(
      list: list.list.id, index: list.row(ofLine: now.row), column: now.column)
  }

  /// Ends a search that asks for rows, and gives the focus back.
  mutating func endHunt() {
    guard place.hunt != nil else { return }
    place.hunt = nil
    layOut()
  }

  /// Moves the focus by a row up or down where the next row isn't drawn; returns false if the next
  /// thing is drawn.
  mutating func moveToUndrawnRow(by step: Int) -> Bool {
    if let awaited = awaitedLines {
      let line = step > 0 ? awaited.upperBound : awaited.lowerBound - 1
      return awaitRow(ofLine: line) || focus(onLinesFrom: line, step)
    }
    guard let now = focusedTarget,
      let list = content.lists.first(where: { $0.drawnLines.contains(now.row) })
    else { return false }
    let line = step > 0 ? list.drawnLines.upperBound : list.drawnLines.lowerBound - 1
    let isLast = content.targets.allSatisfy { target in
      step > 0
        ? target.row <= now.row || target.row >= line : target.row >= now.row || target.row <= line
    }
    return isLast && awaitRow(ofLine: line)
  }

  /// Gives the focus to what comes next from a line on; returns true.
  private mutating func focus(onLinesFrom line: Int, _ step: Int) -> Bool {
    let next =
      step > 0
      ? content.targets.firstIndex { $0.row >= line }
      : content.targets.lastIndex { $0.row <= line }
    if let next { focus(next) } else { keepFocusInSight() }
    return true
  }

  /// The part that is drawn on the row that has been awaited, nearest to the columns of the focus;
  /// nil while the row isn't drawn, or others are only drawn to be searched.
  func arrivedTarget() -> Int? {
    guard place.hunt == nil, let lines = awaitedLines,
      list(withUndrawnLine: lines.lowerBound) == nil
    else { return nil }
    let column = place.awaitedRow?.column ?? 0
    let found = content.targets.indices.filter { lines.contains(content.targets[$0].row) }
    return found.min { left, right in
      abs(content.targets[left].column - column) < abs(content.targets[right].column - column)
    } ?? content.targets.lastIndex { $0.row < lines.upperBound }
  }
}
