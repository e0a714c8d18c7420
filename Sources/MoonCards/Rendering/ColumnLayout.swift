import MoonValues

extension Layout {
  /// The minimum width of a column beside others, unless it prefers to be narrower.
  static let columnWidthMin = 10

  /// Returns columns side by side, or one below the other where they don't fit.
  func lines(_ columns: [Column], width: Int, alignment: Alignment?) -> [CardLine] {
    if isMeasuring { return measured(columns) }
    let natural = columns.map { naturalWidth($0.element) }
    let columns = zip(columns, natural).filter { $1 > 0 }.map(\.0)
    guard !columns.isEmpty else { return [] }
    guard let widths = widths(of: columns, natural.filter { $0 > 0 }, within: width) else {
      let blocks = columns.map { lines($0.element, width: width, alignment: alignment) }
      return Layout.stacked(blocks)
    }
    let blocks = zip(columns, widths).map { column, width in
      lines(column.element, width: width, alignment: alignment)
    }
    return Layout.beside(blocks, widths: widths)
  }

  /// Returns blocks of lines below each other, set apart if any of them has more than one line.
  static func stacked(_ blocks: [[CardLine]]) -> [CardLine] {
    let isTall = blocks.contains { $0.count > 1 }
    return Array(blocks.joined(separator: isTall ? [CardLine()] : []))
  }

  /// Returns blocks of lines next to each other.
  static func beside(_ blocks: [[CardLine]], widths: [Int]) -> [CardLine] {
    let height = blocks.map(\.count).max() ?? 0
    return (0..<height).map { row in
      var line = CardLine()
      var start = 0
      // A script may ask for more columns than a line can hold.
      for (block, width) in zip(blocks, widths) where start < measuringWidth {
        if row < block.count, !block[row].spans.isEmpty {
          line.pad(to: start)
          line.append(block[row])
        }
        start += width + gap
      }
      return line
    }
  }

  /// Each column is drawn only once: at nested levels, measuring twice takes exponential time.
  private func measured(_ columns: [Column]) -> [CardLine] {
    var blocks: [[CardLine]] = []
    var widths: [Int] = []
    for column in columns {
      let block = lines(column.element, width: Layout.measuringWidth)
      let natural = block.map(\.width).max() ?? 0
      guard natural > 0 else { continue }
      blocks.append(block)
      if case .fixed(let width) = column.width {
        widths.append(max(width, natural))
      } else {
        widths.append(natural)
      }
    }
    return Layout.beside(blocks, widths: widths)
  }

  /// Returns the width of each column; nil if they don't fit side by side.
  private func widths(of columns: [Column], _ natural: [Int], within width: Int) -> [Int]? {
    let room = width - Layout.gap * (columns.count - 1)
    let natural = zip(columns, natural).map { column, natural in
      if case .fixed(let width) = column.width { return width }
      return natural
    }
    guard var widths = Layout.fitted(natural, within: room, min: Layout.columnWidthMin) else {
      return nil
    }
    let shares = columns.map(\.width.share)
    let all = shares.reduce(0, +)
    guard all > 0 else { return widths }
    // Columns with shares divide the width that the others leave free, if their texts fit.
    let others = zip(widths, shares).reduce(0) { $0 + ($1.1 > 0 ? 0 : $1.0) }
    let divided = Layout.divided(room - others, by: shares, whole: all)
    let needs = natural.map { min($0, Layout.columnWidthMin) }
    if zip(zip(divided, needs), shares).allSatisfy({ $1 == 0 || $0.0 >= $0.1 }) {
      for index in widths.indices where shares[index] > 0 { widths[index] = divided[index] }
    }
    return widths
  }

  /// Returns the widths reduced to fit, the widest first; nil if one would fall below `least`.
  static func fitted(_ natural: [Int], within room: Int, min least: Int) -> [Int]? {
    guard natural.reduce(0, +) > room else { return natural }
    guard natural.reduce(0, { $0 + min($1, least) }) <= room else { return nil }
    // The largest cap under which all fit; the remainder of rounding goes to the first columns cut.
    var low = least
    var high = max(least, room)
    while low < high {
      let middle = (low + high + 1) / 2
      let sum = natural.reduce(0) { $0 + min($1, middle) }
      if sum <= room { low = middle } else { high = middle - 1 }
    }
    var widths = natural.map { min($0, low) }
    var left = room - widths.reduce(0, +)
    for index in widths.indices where left > 0 && widths[index] < natural[index] {
      widths[index] += 1
      left -= 1
    }
    return widths
  }

  private static func divided(_ room: Int, by shares: [Double], whole: Double) -> [Int] {
    var used = 0.0
    var given = 0
    return shares.map { share in
      used += share
      let end = Int((used / whole * Double(max(0, room))).rounded())
      defer { given = end }
      return end - given
    }
  }
}

extension Column.Width {
  /// Its share of the width that the others leave free; 0 for none.
  fileprivate var share: Double {
    switch self {
    case .auto, .fixed: 0
    case .stretch: 1
    // The limit keeps sums finite.
    case .share(let share): min(share, 1e6)
    }
  }
}
