import MoonTerminal
import Moonwire

/// The picture of what lies over the app.
struct OverlayDrawing {
  let stage: Stage

  func draw(on canvas: inout Canvas) {
    switch stage.overlay {
    case .prompt(let box)?: draw(box, on: &canvas)
    case .search(let field)?: draw(field, after: "/", on: &canvas)
    case .picker(let picker)?: draw(picker, on: &canvas)
    case .form(let form)?: draw(form, on: &canvas)
    case .pages(let pages)?: draw(pages, on: &canvas)
    case nil: break
    }
  }

  /// A line that is typed, in the last row.
  private func draw(_ field: TextField, after label: String, on canvas: inout Canvas) {
    let row = stage.rows - 1
    canvas.put(String(repeating: " ", count: stage.columns), row: row, column: 0)
    let start = canvas.putSafely(
      label, row: row, column: 0, StageStyle(color: .blue, isBold: true),
      width: stage.columns * 2 / 3)
    let width = max(1, stage.columns - start - 1)
    let shown = field.shown(width: width, rowCount: 1)
    canvas.put(shown, line: 0, row: row, column: start, width: width)
    canvas.cursor = (row, min(stage.columns - 1, start + shown.column))
  }

  private func draw(_ box: PromptBox, on canvas: inout Canvas) {
    let lines = box.lines.flatMap { CardLine.plain($0, width: max(1, stage.columns - 2)) }
    let notes = box.candidates.isEmpty ? [] : CardLine.plain(box.candidates, width: stage.columns)
    let room = max(0, stage.rows - 3)
    let height = min(room, lines.count + min(3, notes.count))
    if height > 0 {
      let top = stage.rows - 1 - height
      canvas.blank(StageArea(row: top - 1, column: 0, width: stage.columns, height: height + 1))
      canvas.put(String(repeating: "─", count: stage.columns), row: top - 1, column: 0, .dim)
      let below = min(3, notes.count, height)
      let end = max(0, lines.count - box.scrolledBack)
      for (index, line) in lines[..<end].suffix(height - below).enumerated() {
        canvas.put(line, row: top + index, column: 1, width: stage.columns - 2)
      }
      for (index, line) in notes.prefix(below).enumerated() {
        let row = stage.rows - 1 - below + index
        canvas.put(line, row: row, column: 0, width: stage.columns)
        canvas.restyle(row: row, column: 0, width: stage.columns) { $0.color = .cyan }
      }
    }
    let label = box.question.map { $0.lines.last ?? "" } ?? (box.isRunning ? "… " : ": ")
    draw(box.field, after: label, on: &canvas)
  }

  private func draw(_ picker: Picker, on canvas: inout Canvas) {
    let area = stage.pickerArea(picker)
    canvas.box(area, title: picker.title, StageStyle(color: .cyan))
    let inside = area.inside
    let query = picker.query.shown(width: max(1, inside.width - 3), rowCount: 1)
    let start = canvas.put("> ", row: inside.row, column: inside.column)
    canvas.put(query, line: 0, row: inside.row, column: start, width: max(1, inside.width - 3))
    canvas.cursor = (inside.row, min(stage.columns - 1, inside.column + 2 + query.column))
    if picker.matches.isEmpty, inside.height > 1 {
      canvas.putSafely(
        "nothing matches", row: inside.row + 1, column: inside.column, .dim, width: inside.width)
    }
    let (top, rowCount) = (stage.pickerTop(picker, area), stage.pickerRows(area))
    for (index, match) in picker.matches.dropFirst(top).prefix(rowCount).enumerated() {
      let row = inside.row + 1 + index
      draw(picker.items[match], of: picker, row: row, inside, on: &canvas)
      if top + index == picker.selected {
        canvas.restyle(row: row, column: inside.column, width: inside.width) {
          $0.isReversed = true
        }
      }
    }
    canvas.scrollbar(
      StageArea(
        row: inside.row + 1, column: area.column + area.width - 1, width: 1, height: rowCount),
      from: top, of: picker.matches.count)
  }

  private func draw(
    _ item: Picker.Item, of picker: Picker, row: Int, _ inside: StageArea,
    on canvas: inout Canvas
  ) {
    let end = inside.column + inside.width
    let hasMarks: Bool = if case .input = picker.purpose { true } else { false }
    let mark = !hasMarks ? "" : item.isMarked ? "• " : "  "
    let start = canvas.put(mark, row: row, column: inside.column)
    let after = canvas.putSafely(
      item.title, row: row, column: start, item.isDimmed ? .dim : .plain, width: end - start)
    if !item.note.isEmpty {
      canvas.putSafely(item.note, row: row, column: after + 2, .dim, width: end - after - 2)
    }
  }

  private func draw(_ form: ActionForm, on canvas: inout Canvas) {
    let notes = [form.description, form.isRunning ? "…" : form.refusal].map {
      $0.isEmpty ? [] : CardLine.plain($0, width: max(1, stage.formWidth - 4))
    }
    let area = stage.formArea(lineCount: form.entries.count + notes[0].count + notes[1].count)
    canvas.box(area, title: form.type + " (Enter goes on, Esc closes)", StageStyle(color: .cyan))
    let inside = area.inside
    let end = inside.row + inside.height
    var row = inside.row
    for line in notes[0].prefix(inside.height) {
      canvas.put(line, row: row, column: inside.column, width: inside.width)
      row += 1
    }
    let labelWidth = min(
      inside.width / 2,
      form.entries.map { ColumnWidths.width(of: $0.name) + 2 }.max() ?? 0)
    // The selected field is seen, however many there are.
    let room = max(1, end - row - notes[1].count)
    let first = max(0, form.selected - room + 1)
    for (index, entry) in form.entries.enumerated().dropFirst(first).prefix(room) where row < end {
      draw(
        entry, isSelected: index == form.selected, row: row, inside, labelWidth: labelWidth,
        on: &canvas)
      row += 1
    }
    for line in notes[1] where row < end {
      canvas.put(line, row: row, column: inside.column, width: inside.width)
      canvas.restyle(row: row, column: inside.column, width: inside.width) { $0.color = .red }
      row += 1
    }
  }

  private func draw(
    _ entry: ActionForm.Entry, isSelected: Bool, row: Int, _ area: StageArea, labelWidth: Int,
    on canvas: inout Canvas
  ) {
    canvas.putSafely(
      entry.name + (entry.isRequired ? "*" : ""), row: row, column: area.column,
      width: labelWidth)
    let start = area.column + labelWidth
    let width = max(1, (area.width - labelWidth) * 2 / 3)
    let shown = entry.field.shown(width: max(1, width - 2), rowCount: 1)
    let marks = entry.choices.isEmpty ? ("[", "]") : ("‹", "›")
    canvas.put(marks.0, row: row, column: start)
    canvas.put(shown, line: 0, row: row, column: start + 1, width: width - 2)
    canvas.put(marks.1, row: row, column: start + width - 1)
    if isSelected {
      canvas.restyle(row: row, column: start, width: width) { $0.isReversed.toggle() }
      if entry.choices.isEmpty {
        canvas.cursor = (row, min(stage.columns - 1, start + 1 + shown.column))
      }
    }
    let note = start + width + 1
    canvas.putSafely(
      entry.type, row: row, column: note, .dim, width: max(0, area.column + area.width - note))
  }

  private func draw(_ pages: Pages, on canvas: inout Canvas) {
    let width = min(stage.columns, 100)
    let lines = pages.lines.flatMap { CardLine.plain($0, width: max(1, width - 4)) }
    let height = min(stage.stageArea.height, lines.count + 2)
    let area = StageArea(
      row: stage.stageArea.row + (stage.stageArea.height - height) / 2,
      column: (stage.columns - width) / 2,
      width: width, height: height)
    let style = StageStyle(color: pages.isError ? .red : .cyan)
    canvas.box(area, title: pages.title + " (Esc closes)", style)
    let inside = area.inside
    for (index, line) in lines.dropFirst(pages.first).prefix(inside.height).enumerated() {
      canvas.put(line, row: inside.row + index, column: inside.column, width: inside.width)
    }
  }
}
