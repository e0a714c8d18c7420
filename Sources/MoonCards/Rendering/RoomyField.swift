import MoonValues

/// Fields that people type into.
extension InputLayout {
  /// The maximum width of what is typed; longer texts scroll.
  private static let roomMax = 40
  /// The same where there are several rows.
  private static let roomMaxOfRows = 76
  /// The minimum width beside a label; in less, the field is below it.
  private static let roomMin = 8
  /// The numbers of rows of a field for several lines whose card names none.
  private static let rowCounts = 4...12

  /// Returns how many rows a field has for a text.
  static func rowCount(of text: String?) -> Int {
    let count = text.map { $0.utf8.count { $0 == UInt8(ascii: "\n") } + 1 } ?? 0
    return max(rowCounts.lowerBound, min(count, rowCounts.upperBound))
  }

  /// `Name* [value     ] hint`, of the same size whatever the value is.
  func roomyField(
    _ input: CardInput, shown: String?, empty: String, rowCount: Int, hint: String?, width: Int,
    room: Int = .max, mark: String = ""
  ) -> [CardLine] {
    let label = InputLayout.label(of: input)
    var start = label
    start.pad(to: labelWidth > 0 ? labelWidth + Layout.gap : label.width + 1)
    var lines: [CardLine] = []
    if width - start.width - 2 < Self.roomMin {
      lines.append(label.clipped(to: width))
      start = CardLine()
    }
    let roomMax = rowCount > 1 ? Self.roomMaxOfRows : Self.roomMax
    let room = max(
      mark.count + 1,
      min(
        roomMax, width - start.width - 2,
        max(Self.roomMin, min(room, roomMax)) + mark.count))
    let role = CardRole.input(input.number)
    let texts = shown.map { $0.split(separator: "\n", omittingEmptySubsequences: false) } ?? []
    for row in 0..<rowCount {
      var line = start
      if row > 0 {
        line = CardLine()
        line.pad(to: start.width)
      }
      line.append("[", role, width: 1)
      var content = CardLine()
      if row < texts.count {
        content = CardLine(ColumnWidths.sanitized(String(texts[row])), role)
      } else if shown == nil, row == 0 {
        let text = ColumnWidths.sanitized(input.placeholder?.string ?? empty)
        content = CardLine(text.filter { !$0.isNewline }, .placeholder)
      }
      content = content.clipped(to: room - mark.count)
      line.append(content)
      let blanks = String(repeating: " ", count: room - mark.count - content.width) + mark
      line.append(blanks, role, width: room - content.width)
      line.append("]", role, width: 1)
      if row == 0, let hint, line.width + hint.count < width {
        line.append(CardLine(" \(hint)", .subtle))
      }
      lines.append(line)
    }
    return lines
  }
}
