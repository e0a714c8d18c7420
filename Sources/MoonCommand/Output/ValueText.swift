import MoonTerminal
import Moonwire

/// Values as text.
struct ValueText {
  let style: Style

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
  func line(_ value: Value, columns: Int) -> String {
    var pretty = PrettyStyle()
    pretty.width = columns * 4
    pretty.depthMax = 3
    pretty.itemCountMax = Self.lineItemCountMax
    var left = columns
    var text = ""
    var space = ""
    value.writePretty(pretty) { token, piece in
      guard left > 0 else { return }
      if token == .space {
        // A line break becomes one space, or none next to brackets.
        space = piece.hasPrefix("\n") ? (text.isOpening ? "" : " ") : piece
        return
      }
      if token == .punctuation, piece == "]" || piece == "}" { space = "" }
      let safe = TerminalText.sanitized(piece.replacing("\n", with: " "))
      let clipped = TerminalText.clipped(space + safe, to: left)
      left -= TerminalText.width(of: clipped)
      if clipped.hasSuffix("…") && clipped != space + safe { left = 0 }
      let head = clipped.prefix(min(space.count, clipped.count))
      text += head + painted(String(clipped.dropFirst(head.count)), token)
      space = ""
    }
    return text
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

extension String {
  fileprivate var isOpening: Bool { hasSuffix("[") || hasSuffix("{") }
}
