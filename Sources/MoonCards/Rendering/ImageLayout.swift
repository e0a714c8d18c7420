import MoonValues

/// The room that images take on terminals that show them.
enum ImageLayout {
  /// The maximum number of columns and rows of an image.
  private static let columnCountMax = 100
  private static let rowCountMax = 24

  /// Returns blank lines where the terminal is to draw an image, or the text that stands for it.
  static func lines(
    _ image: CardImage?, or alternative: Text?, width: Int, on cell: CellSize?
  ) -> [CardLine] {
    guard let image, let cell else {
      let title = alternative.map { $0.isEmpty ? "(image)" : "(image: \($0))" } ?? "(image)"
      return TextFlow.lines(title, .subtle, width: width)
    }
    let size = size(of: image, within: width, cell)
    let line = CardLine(String(repeating: " ", count: size.columns), .image(image.number))
    return Array(repeating: line, count: size.rows)
  }

  private static func size(
    of image: CardImage, within width: Int, _ cell: CellSize
  ) -> (columns: Int, rows: Int) {
    let natural = (image.width + cell.width - 1) / cell.width
    let columns = max(1, min(image.columnCount ?? natural, width, columnCountMax))
    // As many as keep its proportions, to the nearest row.
    let height = columns * cell.width * image.height / image.width
    let rows = max(1, (height + cell.height / 2) / cell.height)
    guard rows > rowCountMax else { return (columns, rows) }
    let fitting = rowCountMax * cell.height * image.width / image.height / cell.width
    return (max(1, min(fitting, columns)), rowCountMax)
  }
}

/// The size of a terminal's cell in pixels.
package struct CellSize: Equatable, Sendable {
  /// The maximum of each side; larger ones are no cells.
  private static let sideMax = 1_000

  package let width: Int
  package let height: Int

  /// Makes the size of a terminal with so many pixels; of one that doesn't tell how many it has,
  /// that of common fonts.
  package init(width: Int = 0, height: Int = 0) {
    let isKnown = 1...Self.sideMax ~= width && 1...Self.sideMax ~= height
    (self.width, self.height) = isKnown ? (width, height) : (8, 16)
  }
}
