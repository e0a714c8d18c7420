import Moonwire

/// The rows of lists that a stage looks at.
extension Stage {
  /// The lines that are seen.
  var seenLines: Range<Int> {
    place.top..<min(place.top + max(1, bodyArea.height), max(place.top, content.lines.count))
  }

  /// The lines of the row that gets the focus once it is drawn; nil if there is none.
  var awaitedLines: Range<Int>? { place.awaitedRow.flatMap(content.lines) }

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

  /// Gives the focus to the row of a line that isn't drawn, as soon as it is; returns false if the
  /// line is drawn.
  mutating func awaitRow(ofLine line: Int) -> Bool {
    let column = place.awaitedRow?.column ?? focusedTarget?.column ?? 0
    guard let list = content.list(withUndrawnLine: line) else { return false }
    place.awaitedRow = AwaitedRow(list, line: line, column: column)
    keepFocusInSight()
    return true
  }

  /// Ends a search that asks for rows, and gives the focus back.
  mutating func endHunt() {
    guard place.hunt != nil else { return }
    place.hunt = nil
    layOut()
  }
}
