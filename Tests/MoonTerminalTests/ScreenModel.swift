import MoonTerminal

/// A slow and plain model of an xterm, with enough of its escapes to show what a user would see.
struct ScreenModel: CustomStringConvertible {
  private(set) var columns: Int
  private(set) var cells: [[String]]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var takesPastes = false
  private(set) var bellCount = 0
  /// The escapes that this model doesn't know.
  ///
  /// A test that meets one proves nothing.
  private(set) var unknown: [String] = []
  /// Everything drawn so far.
  private(set) var raw = ""

  private var insertsCharacters = false
  // As in xterm, a full row wraps when the next character arrives.
  private var isWrapPending = false
  private var input: [Unicode.Scalar] = []
  private var undecoded: [UInt8] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The rows that aren't empty, without trailing blanks.
  var lines: [String] {
    var lines = cells.map { cells in
      var line = cells.joined()[...]
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  var description: String {
    lines.enumerated().map { "\($0.offset)| \($0.element)" }.joined(separator: "\n")
      + "\ncursor \(row),\(column)"
  }

  /// Cuts or widens the rows without wrapping their contents again.
  mutating func resize(columns: Int, rows: Int) {
    let width = columns
    cells = cells.prefix(rows).map { row in
      row.prefix(width) + Array(repeating: " ", count: max(0, width - row.count))
    }
    cells += Array(
      repeating: Array(repeating: " ", count: width), count: max(0, rows - cells.count))
    self.columns = width
    (row, column) = (min(row, rows - 1), min(column, width - 1))
  }

  mutating func feed(_ bytes: [UInt8]) {
    undecoded += bytes
    // Only complete characters, since a chunk may end inside one.
    var end = undecoded.count
    while end > 0, undecoded.count - end < 4, undecoded[end - 1] & 0xC0 == 0x80 { end -= 1 }
    if end > 0, undecoded[end - 1] >= 0xC0 {
      let first = undecoded[end - 1]
      let needed = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
      end = undecoded.count - end + 1 >= needed ? undecoded.count : end - 1
    } else {
      end = undecoded.count
    }
    let text = String(decoding: undecoded[..<end], as: UTF8.self)
    undecoded.removeFirst(end)
    raw += text
    input += text.unicodeScalars
    while step() {}
  }
}

extension ScreenModel {
  /// Processes one character or one complete escape; returns false if there is none.
  private mutating func step() -> Bool {
    guard let scalar = input.first else { return false }
    switch scalar {
    case "\u{1B}": return escape()
    case "\r": (column, isWrapPending) = (0, false)
    case "\n": lineFeed()
    case "\u{8}": (column, isWrapPending) = (max(0, column - 1), false)
    case "\t": column = min(columns - 1, (column / 8 + 1) * 8)
    case "\u{7}": bellCount += 1
    default: draw(scalar)
    }
    input.removeFirst()
    return true
  }

  private mutating func draw(_ scalar: Unicode.Scalar) {
    let width = TerminalText.width(of: String(scalar))
    if width == 0 { return }
    if isWrapPending || column + width > columns {
      column = 0
      lineFeed()
    }
    isWrapPending = false
    if insertsCharacters { insertBlanks(width) }
    cells[row][column] = String(scalar)
    if width == 2 { cells[row][column + 1] = "" }
    column += width
    if column >= columns { (column, isWrapPending) = (columns - 1, true) }
  }

  private mutating func lineFeed() {
    isWrapPending = false
    row += 1
    guard row == cells.count else { return }
    row -= 1
    cells.removeFirst()
    cells.append(Array(repeating: " ", count: columns))
  }

  private mutating func insertBlanks(_ count: Int) {
    cells[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
    cells[row].removeLast(count)
  }

  private mutating func escape() -> Bool {
    guard input.count > 1 else { return false }
    guard input[1] == "[" else {
      let length = input[1] == "(" ? 3 : 2
      guard input.count >= length else { return false }
      input.removeFirst(length)
      return true
    }
    guard let end = input.dropFirst(2).firstIndex(where: { 0x40..<0x7F ~= $0.value }) else {
      return false
    }
    let parameters = input[2..<end].map(String.init).joined()
    control(input[end], parameters, Int(parameters) ?? 1)
    input.removeFirst(end + 1)
    return true
  }

  private mutating func control(_ final: Unicode.Scalar, _ parameters: String, _ count: Int) {
    if final != "m" { isWrapPending = false }
    switch (final, parameters) {
    case ("A", _): row = max(0, row - count)
    case ("B", _): row = min(cells.count - 1, row + count)
    case ("C", _): column = min(columns - 1, column + count)
    case ("D", _): column = max(0, column - count)
    case ("G", _): column = min(columns, count) - 1
    case ("H", ""): (row, column) = (0, 0)
    case ("J", ""), ("J", "0"):
      erase(from: column)
      for below in (row + 1)..<max(row + 1, cells.count) {
        cells[below] = Array(repeating: " ", count: columns)
      }
    case ("J", "2"): for each in cells.indices { cells[each] = cells[each].map { _ in " " } }
    case ("K", ""), ("K", "0"): erase(from: column)
    case ("@", _): insertBlanks(min(count, columns - column))
    case ("P", _):
      let removed = min(count, columns - column)
      cells[row].removeSubrange(column..<(column + removed))
      cells[row] += Array(repeating: " ", count: removed)
    case ("m", _), ("h", "?1"), ("l", "?1"): break
    case ("h", "4"): insertsCharacters = true
    case ("l", "4"): insertsCharacters = false
    case ("h", "?2004"): takesPastes = true
    case ("l", "?2004"): takesPastes = false
    default: unknown.append("CSI \(parameters)\(final)")
    }
  }

  private mutating func erase(from column: Int) {
    for each in column..<columns { cells[row][each] = " " }
  }
}
