import Moonwire

/// The rows of lists that a stage looks at.
extension Stage {
  /// The lines that are seen.
  private var seenLines: Range<Int> {
    place.top..<min(place.top + max(1, bodyArea.height), max(place.top, content.lines.count))
  }

  /// Whether all rows that are seen are drawn.
  var areSeenRowsDrawn: Bool {
    content.lists.allSatisfy { list in
      list.drawnLines.contains(seenLines.clamped(to: list.lines))
    }
  }

  /// Asks for the rows of lists that are seen or soon will be.
  ///
  /// The same rows are asked for once, so that two stages that look at different rows don't undo
  /// each other's wishes for ever.
  mutating func askForRows() -> [StageEffect] {
    guard let screen = shown.screen else { return [] }
    let height = max(1, bodyArea.height)
    var effects: [StageEffect] = []
    for list in content.lists {
      let near = place.top - height / 2..<place.top + height + height / 2
      guard near.overlaps(list.lines),
        !list.drawnLines.contains(near.clamped(to: list.lines))
      else { continue }
      let row = max(0, list.row(ofLine: place.top) - height / list.height)
      guard place.askedRows[list.list.id] != row else { continue }
      place.askedRows[list.list.id] = row
      effects.append(.scroll(list.list.id, to: row + 1, on: screen))
    }
    return effects
  }
}
