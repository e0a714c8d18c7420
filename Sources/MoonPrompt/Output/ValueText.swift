package import MoonTerminal
package import Moonwire

/// Values as text.
package struct ValueText {
  let style: Style

  package init(style: Style) { self.style = style }

  /// The maximum number of entries of a list or map on a single line.
  private static let lineItemCountMax = 8

  /// Returns a value on as many lines as it needs.
  func full(_ value: Value, columns: Int, limits: PrettyStyle = PrettyStyle()) -> String {
    var pretty = limits
    pretty.width = columns
    var text = ""
    value.writePretty(pretty) { token, piece in text += painted(piece, token) }
    return text
  }

  /// Returns a value on one line.
  ///
  /// What doesn't fit becomes an ellipsis, before the brackets that close what is open there.
  package func line(_ value: Value, columns: Int) -> String {
    var pretty = PrettyStyle()
    pretty.width = columns * 4
    pretty.depthMax = 3
    pretty.itemCountMax = Self.lineItemCountMax
    var line = OneLine(columns: columns)
    value.writePretty(pretty) { token, piece in line.add(token, piece) }
    return line.pieces.map { $0.space + painted($0.text, $0.token) }.joined()
  }

  private func painted(_ piece: String, _ token: PrettyToken) -> String {
    let safe = TerminalText.sanitized(piece)
    return switch token {
    case .key: style.paint(safe, .key)
    case .string: style.paint(safe, .string)
    case .number, .word: style.paint(safe, .number)
    case .omission: style.paint(safe, .dim)
    case .punctuation, .space: safe
    }
  }
}

extension PrettyStyle {
  /// The limits for a requested value: more than anyone reads, and little enough to print.
  static let whole: PrettyStyle = {
    var style = PrettyStyle()
    style.depthMax = 64
    style.itemCountMax = 10_000
    style.byteCountMax = 1 << 20
    return style
  }()
}

/// The pieces of a value on one line, cut to a number of columns.
private struct OneLine {
  struct Piece {
    let token: PrettyToken
    let space: String
    var text: String

    var width: Int { space.count + TerminalText.width(of: text) }
  }

  private static let ellipsis = "…"

  let columns: Int
  private(set) var pieces: [Piece] = []
  private var width = 0
  private var space = ""
  /// The brackets that close what is open, and those for each piece after it.
  private var open: [[String]] = []
  private var isFull = false

  init(columns: Int) { self.columns = columns }

  mutating func add(_ token: PrettyToken, _ piece: String) {
    guard !isFull else { return }
    if token == .space {
      // A line break becomes one space, or none next to brackets.
      let isAfterOpening = pieces.last.map { ["[", "{"].contains($0.text) } ?? true
      space = piece.hasPrefix("\n") ? (isAfterOpening ? "" : " ") : piece
      return
    }
    var closing = open.last ?? []
    if token == .punctuation {
      switch piece {
      case "[": closing.append("]")
      case "{": closing.append("}")
      case "]", "}":
        space = ""
        _ = closing.popLast()
      default: break
      }
    }
    let text = TerminalText.singleLine(piece)
    pieces.append(Piece(token: token, space: space, text: text))
    open.append(closing)
    width += pieces[pieces.count - 1].width
    space = ""
    if width > columns { cut() }
  }

  /// Shortens the last piece that has room, and closes the brackets open there.
  private mutating func cut() {
    isFull = true
    while let last = pieces.popLast() {
      width -= last.width
      let closing = open.popLast().map { _ in open.last ?? [] } ?? []
      let room = columns - width - last.space.count - closing.count
      let isWhole = last.token == .punctuation || last.token == .key
      guard room > 0, pieces.isEmpty || last.token != .punctuation else { continue }
      // A text that fits was whole, and what followed it is left out.
      let mark = last.token == .omission ? "" : Self.ellipsis
      let text = isWhole ? mark : TerminalText.clipped(last.text + mark, to: room)
      pieces.append(Piece(token: isWhole ? .omission : last.token, space: last.space, text: text))
      pieces += closing.reversed().map { Piece(token: .punctuation, space: "", text: $0) }
      return
    }
  }
}
