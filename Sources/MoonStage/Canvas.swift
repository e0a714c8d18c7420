import MoonTerminal
import Moonwire

/// A picture of a whole terminal: rows of cells.
package struct Canvas: Equatable, Sendable {
  /// The place of one column of a row.
  struct Cell: Equatable, Sendable {
    /// The character; nil for the second column of a wide one.
    var character: Character? = " "
    var style = StageStyle.plain
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  /// The images that lie over cells.
  private(set) var images: [PlacedImage] = []
  /// The place of the terminal's cursor; nil to hide it.
  var cursor: (row: Int, column: Int)?

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(1, columns), max(1, rows))
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  package static func == (left: Canvas, right: Canvas) -> Bool {
    left.columns == right.columns && left.cells == right.cells && left.images == right.images
      && left.cursor?.row == right.cursor?.row && left.cursor?.column == right.cursor?.column
  }

  /// The cells of a row.
  func row(_ row: Int) -> ArraySlice<Cell> { cells[row * columns..<(row + 1) * columns] }

  /// Writes one line of clean text, cut to a width; returns the column after it.
  @discardableResult
  mutating func put(
    _ text: String, row: Int, column: Int, _ style: StageStyle = .plain, width: Int = .max
  ) -> Int {
    guard row >= 0, row < rows else { return column }
    let end = min(columns, width < columns ? column + width : columns)
    var place = column
    for character in text {
      let step = ColumnWidths.width(of: character)
      if step == 0 { continue }
      if place + step > end { break }
      if place >= 0 { set(character, step, row, place, style) }
      place += step
    }
    return place
  }

  private mutating func set(
    _ character: Character, _ step: Int, _ row: Int, _ column: Int, _ style: StageStyle
  ) {
    let index = row * columns + column
    // What was half covered by a wide character is a blank.
    if cells[index].character == nil, column > 0 { cells[index - 1].character = " " }
    cells[index] = Cell(character: character, style: style)
    for further in 1..<max(1, step) where column + further < columns {
      cells[index + further] = Cell(character: nil, style: style)
    }
    let next = index + step
    if column + step < columns, cells[next].character == nil { cells[next].character = " " }
  }

  /// Writes text of any origin on one line.
  @discardableResult
  mutating func putSafely(
    _ text: String, row: Int, column: Int, _ style: StageStyle = .plain, width: Int = .max
  ) -> Int {
    let room = max(0, min(columns - column, width))
    // Longer than any line, and cut before it is looked at, since a script may write any length.
    let short = text.unicodeScalars.prefix(room * 4 + 16)
    let safe = TerminalText.singleLine(String(String.UnicodeScalarView(short)))
    let shown = ColumnWidths.width(of: safe) > room ? Self.cut(safe, to: room) : safe
    return put(shown, row: row, column: column, style, width: room)
  }

  /// Returns clean text cut to a width, with an ellipsis.
  static func cut(_ text: String, to width: Int) -> String {
    guard width > 0 else { return "" }
    var cut = ""
    var used = 0
    for character in text {
      let step = ColumnWidths.width(of: character)
      if used + step > width - 1 { break }
      cut.append(character)
      used += step
    }
    return cut + "…"
  }

  /// Writes a line of a card.
  mutating func put(_ line: CardLine, row: Int, column: Int, width: Int) {
    var place = column
    for span in line.spans {
      place = put(
        span.text, row: row, column: place, StageStyle(span.role), width: column + width - place)
    }
  }

  /// Draws the part of an image that lies in an area; what is written over it later hides its rows.
  mutating func put(_ image: PlacedImage, within area: StageArea) {
    images.append(image)
    let columns = max(0, image.area.column)..<image.area.column + image.area.width
    for row in image.area.row..<image.area.row + image.area.height {
      for column in columns.clamped(to: 0..<self.columns)
      where row < rows && area.contains(row: row, column: column) {
        cells[row * self.columns + column].style.image = images.count
      }
    }
  }

  /// The rows of an image that are seen whole; others stay blank.
  func seenRows(of index: Int) -> [Int] {
    let area = images[index].area
    guard area.column >= 0, area.column + area.width <= columns else { return [] }
    return (area.row..<area.row + area.height).filter { row in
      (0..<rows).contains(row)
        && self.row(row)[row * columns + area.column..<row * columns + area.column + area.width]
          .allSatisfy { $0.style.image == index + 1 }
    }
  }

  /// Writes blanks.
  mutating func blank(_ area: StageArea, _ style: StageStyle = .plain) {
    let blanks = String(repeating: " ", count: max(0, area.width))
    for row in area.row..<max(area.row, area.row + area.height) {
      put(blanks, row: row, column: area.column, style)
    }
  }

  /// Changes the style of a part of a row.
  mutating func restyle(
    row: Int, column: Int, width: Int, _ change: (inout StageStyle) -> Void
  ) {
    guard row >= 0, row < rows, column < columns else { return }
    for place in max(0, column)..<max(max(0, column), min(columns, column + width)) {
      let image = cells[row * columns + place].style.image
      change(&cells[row * columns + place].style)
      cells[row * columns + place].style.image = image
    }
  }

  /// Draws which of so many rows are seen in an area, from its first one on; nothing if all are.
  mutating func scrollbar(_ area: StageArea, from first: Int, of count: Int) {
    guard count > area.height, area.height > 1 else { return }
    let length = max(1, area.height * area.height / count)
    let start = (area.height - length) * first / max(1, count - area.height)
    for index in 0..<area.height {
      let isThumb = index >= start && index < start + length
      put(isThumb ? "█" : "│", row: area.row + index, column: area.column, .dim)
    }
  }

  /// Draws a box with a title, and blanks inside it.
  mutating func box(_ area: StageArea, title: String, _ style: StageStyle = .plain) {
    guard area.width >= 2, area.height >= 2 else { return blank(area) }
    blank(area)
    let rule = String(repeating: "─", count: area.width - 2)
    let (right, bottom) = (area.column + area.width - 1, area.row + area.height - 1)
    put("┌" + rule + "┐", row: area.row, column: area.column, style)
    put("└" + rule + "┘", row: bottom, column: area.column, style)
    for row in area.row + 1..<bottom {
      put("│", row: row, column: area.column, style)
      put("│", row: row, column: right, style)
    }
    guard area.width >= 8, !title.isEmpty else { return }
    var heading = style
    heading.isBold = true
    let end = putSafely(
      title, row: area.row, column: area.column + 3, heading, width: area.width - 6)
    put(" ", row: area.row, column: area.column + 2, style)
    put(" ", row: area.row, column: end, style)
  }
}

/// A part of a terminal.
struct StageArea: Equatable, Sendable {
  var row: Int
  var column: Int
  var width: Int
  var height: Int

  /// The part inside a box.
  var inside: StageArea {
    StageArea(
      row: row + 1, column: column + 2, width: max(0, width - 4), height: max(0, height - 2))
  }

  func contains(row: Int, column: Int) -> Bool {
    row >= self.row && row < self.row + height && column >= self.column
      && column < self.column + width
  }
}
