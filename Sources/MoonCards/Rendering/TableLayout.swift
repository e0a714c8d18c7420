import MoonValues

extension Layout {
  /// The minimum width of a table's column, unless it prefers to be narrower.
  static let cellWidthMin = 5
  /// The minimum share of the width that titles of facts leave to their values.
  private static let factTitlePart = 2

  func lines(_ table: Table, width: Int) -> [CardLine] {
    let count = table.columnCount
    guard count > 0, !table.rows.isEmpty else { return [] }
    var rows = table.rows.map(\.cells)
    if table.hasHeader { rows[0] = rows[0].map(\.asHeader) }
    if isMeasuring { return measured(rows, columnCount: count) }
    var natural = Array(repeating: 0, count: count)
    for row in rows {
      for (index, cell) in row.enumerated() {
        natural[index] = max(natural[index], naturalWidth(cell))
      }
    }
    let room = width - Layout.gap * (count - 1)
    guard let widths = Layout.fitted(natural, within: room, min: Layout.cellWidthMin) else {
      return stacked(rows, width: width)
    }
    var lines: [CardLine] = []
    for (number, row) in rows.enumerated() {
      let blocks = row.enumerated().map { index, cell in
        self.lines(cell, width: widths[index], alignment: table.alignments[index])
      }
      lines += Layout.beside(blocks, widths: widths)
      if number == 0, table.hasHeader, rows.count > 1 { lines.append(underline(widths)) }
    }
    return lines
  }

  /// Each cell is drawn only once: at nested levels, measuring twice takes exponential time.
  private func measured(_ rows: [[Element]], columnCount: Int) -> [CardLine] {
    let blocks = rows.map { $0.map { lines($0, width: Layout.measuringWidth) } }
    var widths = Array(repeating: 0, count: columnCount)
    for row in blocks {
      for (index, block) in row.enumerated() {
        widths[index] = max(widths[index], block.map(\.width).max() ?? 0)
      }
    }
    return blocks.flatMap { Layout.beside($0, widths: widths) }
  }

  /// Returns a table that is too wide: its cells below each other, with a blank line between rows.
  private func stacked(_ rows: [[Element]], width: Int) -> [CardLine] {
    var lines: [CardLine] = []
    for row in rows {
      if !lines.isEmpty { lines.append(CardLine()) }
      for cell in row { lines += self.lines(cell, width: width) }
    }
    return lines
  }

  private func underline(_ widths: [Int]) -> CardLine {
    let rules = widths.map { [CardLine(String(repeating: "─", count: $0), .subtle)] }
    return Layout.beside(rules, widths: widths)[0]
  }

  /// Returns facts with their titles in a separate column, so that values align.
  func lines(_ facts: [Fact], width: Int) -> [CardLine] {
    let wanted = facts.map { fact in
      TextFlow.lines(fact.title.string, .strong, width: Layout.measuringWidth)
        .map(\.width).max() ?? 0
    }
    let titleWidth = max(1, min(wanted.max() ?? 0, width / Layout.factTitlePart))
    let valueWidth = width - titleWidth - Layout.gap
    return facts.flatMap { fact in
      Layout.beside(
        [
          TextFlow.lines(fact.title.string, .strong, width: titleWidth),
          value(of: fact, width: valueWidth),
        ], widths: [titleWidth, valueWidth])
    }
  }

  private func value(of fact: Fact, width: Int) -> [CardLine] {
    var flow = TextFlow(width: width)
    flow.add(markdown: CardDate.shown(in: fact.value.string, dates), .plain)
    return flow.finish()
  }
}

extension Element {
  /// The cell in a table's first row, whose plain texts are strong.
  fileprivate var asHeader: Element {
    var header = self
    switch content {
    case .container(let style, let items):
      header.content = .container(style, items.map(\.asHeader))
    case .text(var block):
      if block.style.role == .plain { block.style.weight = .bolder }
      header.content = .text(block)
    default: break
    }
    return header
  }
}
