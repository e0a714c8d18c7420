import MoonTerminal
import Moonwire

/// The drawing of the app, without what lies over it.
struct StageDrawing {
  let stage: Stage

  func draw(on canvas: inout Canvas) {
    if stage.hasHeader { drawHeader(on: &canvas) }
    if stage.hasTabs { drawTabs(on: &canvas) }
    drawSides(on: &canvas)
    drawBody(on: &canvas)
    if stage.hasBar { drawBar(on: &canvas) }
  }

  private func drawHeader(on canvas: inout Canvas) {
    let title = stage.shown.screen?.title ?? ""
    var column = canvas.put(stage.hasBack ? "‹ " : "  ", row: 0, column: 0, .bold)
    for former in stage.shown.titles.suffix(2) {
      column = canvas.putSafely(
        former, row: 0, column: column, .dim, width: max(0, stage.columns / 4))
      column = canvas.put(" › ", row: 0, column: column, .dim)
    }
    column = canvas.putSafely(title, row: 0, column: column, .bold, width: stage.columns - column)
    let name = TerminalText.clipped(TerminalText.singleLine(stage.bar.name), to: stage.columns / 3)
    let start = stage.columns - ColumnWidths.width(of: name) - 1
    if start > column + 1 { canvas.put(name, row: 0, column: start, .dim) }
  }

  private func drawTabs(on canvas: inout Canvas) {
    let items = stage.shown.tabs.isEmpty ? stage.shown.columns : stage.shown.tabs
    for ((item, label), place) in zip(zip(items, stage.tabLabels), stage.tabPlaces) {
      canvas.put(
        label, row: 1, column: place.lowerBound,
        item.isSelected ? StageStyle(color: .cyan, isBold: true, isReversed: true) : .dim)
    }
  }

  private func drawSides(on canvas: inout Canvas) {
    guard stage.isSplit || stage.isPresented, let side = stage.sides.first else { return }
    let area = stage.sideArea
    for (index, line) in side.lines.prefix(area.height).enumerated() {
      canvas.put(line, row: area.row + index, column: area.column, width: area.width)
    }
    draw(side.images, on: &canvas, area, from: 0)
    if stage.isPresented {
      for row in area.row..<area.row + area.height {
        canvas.restyle(row: row, column: 0, width: stage.columns) { $0 = .dim }
      }
      canvas.box(stage.sheetArea, title: stage.shown.screen?.title ?? "", StageStyle(color: .cyan))
    } else {
      let rule = stage.columns * 2 / 5
      for row in area.row..<area.row + area.height {
        canvas.put("│", row: row, column: rule - (rule > 0 ? 0 : 1), .dim)
      }
    }
  }

  private func drawBody(on canvas: inout Canvas) {
    let area = stage.bodyArea
    let seen = stage.content.lines.dropFirst(stage.place.top).prefix(area.height)
    for (index, line) in seen.enumerated() {
      canvas.put(line, row: area.row + index, column: area.column, width: area.width)
    }
    draw(stage.content.images, on: &canvas, area, from: stage.place.top)
    if stage.shown.screen?.failure != nil {
      for row in area.row..<area.row + seen.count {
        canvas.restyle(row: row, column: area.column, width: area.width) { $0.color = .red }
      }
    }
    drawFound(on: &canvas, area)
    if let screen = stage.shown.screen { drawDrafts(on: &canvas, area, screen) }
    drawFocus(on: &canvas, area)
    drawScrolling(on: &canvas, area)
  }

  private func draw(
    _ images: [PlacedImage], on canvas: inout Canvas, _ area: StageArea, from top: Int
  ) {
    for var image in images {
      image.area.row += area.row - top
      image.area.column += area.column
      if image.area.row < area.row + area.height, image.area.row + image.area.height > area.row {
        canvas.put(image, within: area)
      }
    }
  }

  private func drawFound(on canvas: inout Canvas, _ area: StageArea) {
    let wanted = stage.place.search.lowercased()
    guard !wanted.isEmpty else { return }
    for index in 0..<area.height where stage.content.lines.indices.contains(stage.place.top + index)
    {
      let text = stage.content.lines[stage.place.top + index].text.lowercased()
      guard let found = text.ranges(of: wanted).first else { continue }
      let before = ColumnWidths.width(of: String(text[..<found.lowerBound]))
      canvas.restyle(
        row: area.row + index, column: area.column + before,
        width: ColumnWidths.width(of: wanted)
      ) { $0.isUnderlined = true }
    }
  }

  /// The focus; while something is typed, the cursor shows it.
  private func drawFocus(on canvas: inout Canvas, _ area: StageArea) {
    let seen = area.row..<area.row + area.height
    for line in stage.awaitedLines ?? 0..<0 where seen.contains(area.row + line - stage.place.top) {
      canvas.restyle(
        row: area.row + line - stage.place.top, column: area.column, width: 1
      ) { $0.isReversed = true }
    }
    guard let target = stage.focusedTarget, stage.typing == nil else { return }
    let first = area.row + target.row - stage.place.top
    if target.isBlock, seen.contains(first) {
      canvas.put("▸", row: first, column: area.column + target.column)
    }
    for row in first..<first + target.rowCount where seen.contains(row) {
      canvas.restyle(
        row: row, column: area.column + target.column,
        width: min(target.width, area.width - target.column)
      ) { style in
        // One colour for all of a block, whatever the colours of its parts.
        style = StageStyle(
          color: target.isBlock ? .cyan : style.color, isBold: style.isBold, isReversed: true)
      }
    }
  }

  /// The texts that are typed, in their fields.
  private func drawDrafts(on canvas: inout Canvas, _ area: StageArea, _ screen: StageScreen) {
    guard stage.typing != nil || !stage.drafts.isEmpty else { return }
    for target in stage.content.targets {
      guard case .input(let number, nil) = target.part,
        let input = screen.card?.input(numbered: number), input.isTyped
      else { continue }
      let isTyped = stage.typing?.input == input.id
      guard
        let draft = isTyped
          ? stage.typing?.field
          : stage.drafts[input.id].map({ draft in
            TextField(draft.text, isMultiline: target.rowCount > 1, isSecret: input.isSecret)
          })
      else { continue }
      draw(draft, isTyped: isTyped, in: target, on: &canvas, area)
      if case .refused(let refusal)? = stage.drafts[input.id]?.fate {
        let row = area.row + target.row - stage.place.top
        if row >= area.row, row < area.row + area.height {
          let column = target.column + target.width + 1
          canvas.putSafely(
            refusal, row: row, column: area.column + column, .bad, width: area.width - column)
        }
      }
    }
  }

  private func draw(
    _ field: TextField, isTyped: Bool, in target: StageContent.Target, on canvas: inout Canvas,
    _ area: StageArea
  ) {
    let width = max(1, target.width - 2)
    let shown = field.shown(width: width, rowCount: target.rowCount)
    let blanks = String(repeating: " ", count: width)
    let style = StageStyle(color: .input, isBold: isTyped)
    for index in 0..<target.rowCount {
      let row = area.row + target.row + index - stage.place.top
      guard row >= area.row, row < area.row + area.height else { continue }
      let column = area.column + target.column + 1
      canvas.put(blanks, row: row, column: column, style)
      canvas.put(shown, line: index, row: row, column: column, style, width: width)
      if isTyped, stage.overlay == nil, index == shown.row {
        canvas.cursor = (row, min(stage.columns - 1, column + shown.column))
      }
    }
  }

  /// How much lies above and below what is seen.
  private func drawScrolling(on canvas: inout Canvas, _ area: StageArea) {
    let right = min(stage.columns - 1, area.column + area.width)
    canvas.scrollbar(
      StageArea(row: area.row, column: right, width: 1, height: area.height),
      from: stage.place.top, of: stage.content.lines.count)
  }

  private func drawBar(on canvas: inout Canvas) {
    let row = stage.rows - 1
    let isBad = stage.bar.hasProblems || stage.bar.isLost
    let style = isBad ? StageStyle(color: .red, isReversed: true) : StageStyle.bar
    canvas.put(String(repeating: " ", count: stage.columns), row: row, column: 0, style)
    let right =
      stage.typing == nil
      ? stage.bar.right(columns: stage.columns)
      : (text: "Esc ends typing", room: max(0, stage.columns - 19))
    let start = stage.columns - right.text.count - 1
    if start > 0 { canvas.put(right.text, row: row, column: start, style) }
    canvas.putSafely(
      stage.keys.begun.isEmpty ? stage.bar.left : "\(stage.keys.begun) …", row: row, column: 1,
      style, width: start > 0 ? right.room : max(0, stage.columns - 3))
  }
}

extension Stage {
  /// What is to be shown now.
  package var picture: Canvas {
    var canvas = Canvas(columns: columns, rows: rows)
    StageDrawing(stage: self).draw(on: &canvas)
    OverlayDrawing(stage: self).draw(on: &canvas)
    return canvas
  }
}
