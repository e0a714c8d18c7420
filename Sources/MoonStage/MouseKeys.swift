/// What follows from the mouse.
enum MouseKeys {
  static func press(_ stage: inout Stage, row: Int, column: Int) -> [StageEffect] {
    if case .picker(var picker)? = stage.overlay {
      let area = stage.pickerArea(picker)
      guard area.contains(row: row, column: column) else {
        stage.overlay = nil
        return []
      }
      guard row > area.row + 1, row < area.row + area.height - 1 else { return [] }
      picker.select(stage.pickerTop(picker, area) + row - area.row - 2)
      stage.overlay = .picker(picker)
      return AppKeys.press(&stage, .enter)
    }
    if case .pages? = stage.overlay {
      stage.overlay = nil
      return []
    }
    if stage.hasHeader, row == 0 { return column < 3 ? AppKeys.press(&stage, .escape) : [] }
    if stage.hasTabs, row == 1 {
      let items = stage.shown.tabs.isEmpty ? stage.shown.columns : stage.shown.tabs
      guard let index = stage.tabPlaces.firstIndex(where: { $0.contains(column) }) else {
        return []
      }
      return TypingKeys.end(&stage) + [.select(items[index], of: stage.shown)]
    }
    let area = stage.bodyArea
    guard area.contains(row: row, column: column) else { return [] }
    let line = stage.place.top + row - area.row
    let found = stage.content.targets.firstIndex { target in
      line >= target.row && line < target.row + target.rowCount
        && column - area.column >= target.column
        && column - area.column < target.column + target.width
    }
    guard let found else { return [] }
    guard stage.typing != nil, found != stage.place.target else {
      stage.focus(found)
      return AppKeys.use(&stage, found)
    }
    guard case .control = stage.content.targets[found].part else {
      let effects = TypingKeys.end(&stage)
      stage.focus(found)
      return effects + AppKeys.use(&stage, found)
    }
    let following = AppKeys.use(&stage, found)
    let effects = TypingKeys.end(&stage, then: following)
    stage.focus(found)
    return effects
  }
}
