import MoonTerminal
import Moonwire

/// Which part of the terminal is for what.
extension Stage {
  /// The minimum width at which columns stand side by side.
  private static let splitWidthMin = 40
  /// The width from which on what is presented has a margin at its sides.
  private static let marginWidthMin = 44

  var hasHeader: Bool { rows >= 3 }
  var hasBar: Bool { rows >= 2 }
  var hasTabs: Bool { rows >= 5 && !(shown.tabs.isEmpty && shown.columns.isEmpty) }

  /// The part between the header and the status bar.
  var stageArea: StageArea {
    let top = (hasHeader ? 1 : 0) + (hasTabs ? 1 : 0)
    return StageArea(
      row: top, column: 0, width: columns, height: max(1, rows - top - (hasBar ? 1 : 0)))
  }

  var isPresented: Bool { shown.beneath != nil && stageArea.height >= 3 && columns >= 8 }
  /// Whether there is a screen to go back to.
  var hasBack: Bool { !shown.titles.isEmpty || shown.beneath != nil }
  var isSplit: Bool { shown.beside != nil && columns >= Self.splitWidthMin }

  /// The box of what is presented, around the screen on top.
  var sheetArea: StageArea {
    let stage = stageArea
    let margin = columns >= Self.marginWidthMin ? 4 : 0
    let height = min(stage.height, max(1, content.lines.count) + 2)
    return StageArea(
      row: stage.row + (stage.height - height) / 2, column: margin,
      width: columns - 2 * margin, height: height)
  }

  /// The part with the lines of the screen on top.
  var bodyArea: StageArea {
    if isPresented { return sheetArea.inside }
    var area = stageArea
    if isSplit {
      let master = columns * 2 / 5
      let isMaster = shown.columns.first?.isSelected ?? true
      (area.column, area.width) =
        isMaster ? (0, master - 1) : (master + 1, columns - master - 1)
    } else {
      (area.column, area.width) = across
    }
    return area
  }

  /// The columns of a screen that has the whole width.
  private var across: (column: Int, width: Int) { columns >= 20 ? (1, columns - 2) : (0, columns) }

  /// The room for a screen that isn't presented over another one, nor beside one.
  var roomySize: ScreenSize { ScreenSize(columns: across.width, rows: stageArea.height) }

  /// The part with the lines of the screen beside or beneath it.
  var sideArea: StageArea {
    var area = stageArea
    guard isSplit else {
      (area.column, area.width) = across
      return area
    }
    let master = columns * 2 / 5
    let isMaster = shown.columns.first?.isSelected ?? true
    (area.column, area.width) = isMaster ? (master + 1, columns - master - 1) : (0, master - 1)
    return area
  }

  var tabLabels: [String] {
    (shown.tabs.isEmpty ? shown.columns : shown.tabs).map {
      " \(TerminalText.clipped(TerminalText.singleLine($0.title), to: 24)) "
    }
  }

  /// The columns of the tabs in their row.
  var tabPlaces: [Range<Int>] {
    var column = 1
    return tabLabels.map { label in
      let start = column
      column += ColumnWidths.width(of: label) + 1
      return start..<column - 1
    }
  }

  func pickerArea(_ picker: Picker) -> StageArea {
    let isLong = picker.purpose == .keys
    let width = min(columns, max(20, min(isLong ? 90 : 72, columns - 4)))
    let height = min(rows, max(4, min(picker.items.count + 3, rows - 2, isLong ? rows : 18)))
    return StageArea(
      row: max(0, (rows - height) / 3), column: max(0, (columns - width) / 2), width: width,
      height: height)
  }

  /// The rows of a picker with its choices.
  func pickerRows(_ area: StageArea) -> Int { max(0, area.height - 3) }

  var formWidth: Int { min(columns, max(20, min(76, columns - 4))) }

  func formArea(lineCount: Int) -> StageArea {
    let height = min(rows, max(3, min(lineCount + 2, rows - 2)))
    return StageArea(
      row: max(0, (rows - height) / 3), column: max(0, (columns - formWidth) / 2),
      width: formWidth, height: height)
  }

  /// The first of the matches that is seen.
  func pickerTop(_ picker: Picker, _ area: StageArea) -> Int {
    max(0, picker.selected - max(1, pickerRows(area)) + 1)
  }
}
