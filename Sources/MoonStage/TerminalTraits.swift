import Moonwire

/// What a stage knows of the terminal that it is on.
struct TerminalTraits: Sendable {
  private(set) var columns: Int
  private(set) var rows: Int
  /// The size of its cells; nil if it doesn't draw images.
  let cell: CellSize?

  init(columns: Int, rows: Int, cell: CellSize?) {
    (self.columns, self.rows, self.cell) = (max(1, columns), max(1, rows), cell)
  }

  mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(1, columns), max(1, rows))
  }
}
