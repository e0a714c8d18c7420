import MoonTerminal
import Moonwire

/// What follows from keys while text is searched.
enum SearchKeys {
  static func press(_ stage: inout Stage, _ key: StageKey, in opened: TextField) -> [StageEffect] {
    var field = opened
    switch key {
    case .escape:
      (stage.overlay, stage.place.search) = (nil, "")
      return []
    case .enter:
      stage.overlay = nil
      stage.place.search = field.text
      return find(&stage, from: 0)
    default:
      guard field.take(key) else { return [.beep] }
    }
    stage.place.search = field.text
    stage.overlay = .search(field)
    return find(&stage, from: 0, onlyDrawn: true)
  }

  /// Goes to the next line with the text that is searched; `step` of 0 stays on a line that has it.
  ///
  /// Rows of lists that aren't drawn are asked for on the way, unless only drawn ones are wanted.
  static func find(
    _ stage: inout Stage, from step: Int, onlyDrawn: Bool = false
  ) -> [StageEffect] {
    guard !stage.place.search.isEmpty, !stage.content.lines.isEmpty else { return [] }
    let focused = stage.isFocusInSight ? stage.focusedTarget?.row : nil
    let now = stage.place.found ?? focused ?? stage.place.top
    let hunt = Hunt(start: now + step, step: step < 0 ? -1 : 1)
    return go(on: hunt, &stage, onlyDrawn: onlyDrawn)
  }

  /// Goes on with the search once the rows are drawn that it has asked for.
  static func goOn(_ stage: inout Stage) -> [StageEffect] {
    guard let hunt = stage.place.hunt, !stage.content.lines.isEmpty,
      stage.content.list(withUndrawnLine: hunt.line(of: stage.content.lines.count)) == nil
    else { return [] }
    stage.bar.note = ""
    return go(on: hunt, &stage, onlyDrawn: false)
  }

  private static func go(
    on begun: Hunt, _ stage: inout Stage, onlyDrawn: Bool
  ) -> [StageEffect] {
    let wanted = stage.place.search.lowercased()
    let count = stage.content.lines.count
    var hunt = begun
    while hunt.lookedAt < count {
      let line = hunt.line(of: count)
      if let list = stage.content.list(withUndrawnLine: line) {
        if !onlyDrawn { return ask(for: list, at: line, hunt, &stage) }
      } else if let column = column(of: wanted, inLine: line, stage) {
        stage.place.hunt = nil
        show(line, column, &stage)
        return []
      }
      hunt.lookedAt += 1
    }
    stage.endHunt()
    if !onlyDrawn { stage.bar.note = "\(stage.place.search) isn't in what is shown" }
    return []
  }

  private static func ask(
    for list: ListPlace, at line: Int, _ hunt: Hunt, _ stage: inout Stage
  ) -> [StageEffect] {
    stage.place.hunt = hunt
    if let now = stage.focusedTarget,
      let list = stage.content.lists.first(where: { $0.drawnLines.contains(now.row) })
    {
      stage.place.awaitedRow = AwaitedRow(list, line: now.row, column: now.column)
    }
    let row = list.row(ofLine: line)
    stage.bar.note = "searching: row \(row + 1) of \(list.list.rowCount) (any key stops)"
    // Upwards, the row is the last one that is drawn.
    let first = hunt.step > 0 ? row : row - list.list.rows.count + 1
    return stage.ask(for: max(0, first), of: list)
  }

  private static func column(of wanted: String, inLine line: Int, _ stage: Stage) -> Int? {
    let text = stage.content.lines[line].text.lowercased()
    guard let found = text.ranges(of: wanted).first else { return nil }
    return ColumnWidths.width(of: String(text[..<found.lowerBound]))
  }

  /// Shows a place that was found, and gives the focus to what can be used there; on a line with
  /// nothing to use, to what comes before it.
  private static func show(_ line: Int, _ column: Int, _ stage: inout Stage) {
    let targets = stage.content.targets
    let onLine = targets.indices.filter { targets[$0].row == line }
    let target =
      onLine.first {
        (targets[$0].column..<targets[$0].column + targets[$0].width).contains(column)
      } ?? (onLine.isEmpty ? targets.lastIndex { $0.row <= line } : nil)
    let top = stage.place.top
    if let target { stage.focus(target) }
    let height = max(1, stage.bodyArea.height)
    let isSeen = line >= top && line < top + height
    stage.place.top = isSeen ? top : max(0, line - height / 2)
    stage.place.top = min(stage.place.top, max(0, stage.content.lines.count - height))
    (stage.place.found, stage.place.followsFocus) = (line, stage.isFocusInSight)
  }
}
