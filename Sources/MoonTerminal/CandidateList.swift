/// Candidates in columns, each with its note.
struct CandidateList {
  /// The maximum number of candidates listed.
  ///
  /// More would push the user's work off the screen, and further typing narrows them down.
  static let candidateCountMax = 100

  private static let gap = 2

  /// The rows, each with its newline.
  let text: String

  /// Lays out `candidates` for a terminal of that width, top to bottom and then left to right.
  init(_ candidates: [Completion.Candidate], columns: Int, style: Style) {
    let shown = candidates.prefix(Self.candidateCountMax).map {
      Cell($0, columns: max(1, columns - 1))
    }
    let cellWidth = (shown.map(\.width).max() ?? 0) + Self.gap
    let columnCount = max(1, (columns - 1 + Self.gap) / cellWidth)
    let rowCount = (shown.count + columnCount - 1) / columnCount
    var text = ""
    for row in 0..<rowCount {
      let cells = stride(from: row, to: shown.count, by: rowCount).map { shown[$0] }
      for (index, cell) in cells.enumerated() {
        text += cell.painted(style)
        if index < cells.count - 1 {
          text += String(repeating: " ", count: cellWidth - cell.width)
        }
      }
      text += "\n"
    }
    if candidates.count > shown.count {
      text += style.paint("… \(candidates.count - shown.count) more", .dim) + "\n"
    }
    self.text = text
  }

  private struct Cell {
    let name: String
    let note: String
    let width: Int

    init(_ candidate: Completion.Candidate, columns: Int) {
      name = Self.oneLine(candidate.text, columns: columns)
      let nameWidth = TerminalText.width(of: name)
      let left = columns - nameWidth - 1
      let note = candidate.note ?? ""
      self.note = left > 0 && !note.isEmpty ? Self.oneLine(note, columns: left) : ""
      width = nameWidth + (self.note.isEmpty ? 0 : 1 + TerminalText.width(of: self.note))
    }

    func painted(_ style: Style) -> String {
      note.isEmpty ? name : name + " " + style.paint(note, .dim)
    }

    private static func oneLine(_ text: String, columns: Int) -> String {
      TerminalText.clipped(TerminalText.singleLine(text), to: columns)
    }
  }
}
