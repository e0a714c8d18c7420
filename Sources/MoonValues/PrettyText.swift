/// The width and the limits of pretty text.
package struct PrettyStyle: Hashable, Sendable {
  /// The preferred maximum width of a line in columns; a long text may exceed it.
  package var width = 80
  /// The depth to which lists and maps are shown.
  ///
  /// Deeper ones are shown as their number of items.
  package var depthMax = 4
  /// The maximum number of items shown of a list or map.
  package var itemCountMax = 50
  /// The maximum number of bytes in all, not counting marks for omissions and closing brackets.
  package var byteCountMax = 10_000

  /// The greatest effective ``width``.
  static let widthMax = 1 << 20

  /// A style that suits a terminal.
  package init() {}
}

/// A piece of pretty text with its kind, by which it can be coloured.
package enum PrettyToken: Hashable, Sendable {
  /// A map's key, without the brackets around it.
  case key
  /// A text in quotes.
  case string
  /// An integer or a double.
  case number
  /// `null`, `true`, `false`.
  case word
  /// Brackets, commas, equals signs.
  case punctuation
  /// Blanks and line breaks.
  case space
  /// A mark for an omission, such as `… (1203 more)`.
  case omission
}

extension Value {
  /// The value in a readable form, on one line if it fits: `{count = 1, log = ["a", "b"]}`.
  ///
  /// Lists are written in `[]`, maps in `{}` with `=` between key and value. Keys that aren't
  /// identifiers are in brackets, as in Lua. Numbers and quotes are as in ``canonicalText``. Parts
  /// that exceed the style's limits are replaced by `… (n more)`, so the text can't be parsed back.
  ///
  /// - Complexity: O(size of the text).
  package func prettyText(_ style: PrettyStyle = PrettyStyle()) -> String {
    var text = ""
    writePretty(style) { _, piece in text += piece }
    return text
  }

  /// Passes the pieces of ``prettyText(_:)`` to a closure, in order.
  ///
  /// - Complexity: O(size of the text).
  package func writePretty(
    _ style: PrettyStyle = PrettyStyle(), to emit: (PrettyToken, String) -> Void
  ) {
    withoutActuallyEscaping(emit) { emit in
      // The width may come from the environment. Within these bounds, no sum overflows.
      var style = style
      style.width = min(max(0, style.width), PrettyStyle.widthMax)
      style.byteCountMax = max(0, style.byteCountMax)
      var writer = PrettyWriter(style: style, byteCountLeft: style.byteCountMax, emit: emit)
      writer.write(self, depth: 0, column: 0)
    }
  }
}

private struct PrettyWriter {
  typealias Piece = (token: PrettyToken, text: String)

  let style: PrettyStyle
  var byteCountLeft: Int
  let emit: (PrettyToken, String) -> Void

  private static let indentation = 2

  /// Writes a value that begins at a column of a line indented by `depth` steps.
  mutating func write(_ value: Value, depth: Int, column: Int) {
    var line = PrettyLine(style: style, widthLeft: style.width - column)
    if line.add(value, depth: depth) {
      for piece in line.pieces { put(piece) }
      return
    }
    switch value {
    case .list(let list) where depth < style.depthMax:
      writeItems(list.lazy.map { (nil, $0) }, list.count, depth, "[", "]")
    case .map(let map) where depth < style.depthMax:
      writeItems(map.lazy.map { ($0.key, $0.value) }, map.count, depth, "{", "}")
    default:
      for piece in PrettyLine.pieces(ofScalar: value) { put(piece) }
    }
  }

  private mutating func writeItems(
    _ items: some Sequence<(Key?, Value)>, _ count: Int, _ depth: Int, _ open: String,
    _ close: String
  ) {
    put((.punctuation, open))
    var shown = 0
    for (key, value) in items {
      if shown >= style.itemCountMax || byteCountLeft <= 0 { break }
      breakLine(depth + 1)
      let head = key.map(PrettyLine.pieces(ofKey:)) ?? []
      for piece in head { put(piece) }
      let column = head.reduce((depth + 1) * Self.indentation) { $0 + $1.text.count }
      write(value, depth: depth + 1, column: column + 1)
      shown += 1
      if shown < count { emit(.punctuation, ",") }
    }
    if shown < count {
      breakLine(depth + 1)
      emit(.omission, PrettyLine.omission(count - shown))
    }
    breakLine(depth)
    emit(.punctuation, close)
  }

  private mutating func breakLine(_ depth: Int) {
    put((.space, "\n" + String(repeating: " ", count: depth * Self.indentation)))
  }

  /// Emits a piece, cutting a text where the byte limit is reached.
  private mutating func put(_ piece: Piece) {
    let count = piece.text.utf8.count
    if piece.token == .string, count > max(0, byteCountLeft) {
      var end = piece.text.utf8.index(piece.text.startIndex, offsetBy: max(0, byteCountLeft))
      while end > piece.text.startIndex, piece.text.utf8[end] & 0xC0 == 0x80 {
        end = piece.text.utf8.index(before: end)
      }
      let start = String(piece.text[..<end])
      if !start.isEmpty { emit(.string, start) }
      emit(.omission, PrettyLine.omission(count - start.utf8.count))
    } else {
      emit(piece.token, piece.text)
    }
    byteCountLeft -= count
  }
}

/// An attempt to show a value on the rest of a line.
private struct PrettyLine {
  let style: PrettyStyle
  var widthLeft: Int
  var pieces: [PrettyWriter.Piece] = []

  init(style: PrettyStyle, widthLeft: Int) {
    self.style = style
    self.widthLeft = widthLeft
  }

  static func omission(_ count: Int) -> String { "… (\(count) more)" }

  static func pieces(ofScalar value: Value) -> [PrettyWriter.Piece] {
    switch value {
    case .null, .bool: [(.word, value.canonicalText)]
    case .int, .double: [(.number, value.canonicalText)]
    case .string: [(.string, value.canonicalText)]
    case .list(let list): container(list.count, "[", "]")
    case .map(let map): container(map.count, "{", "}")
    }
  }

  private static func container(
    _ count: Int, _ open: String, _ close: String
  ) -> [PrettyWriter.Piece] {
    count == 0
      ? [(.punctuation, open + close)]
      : [(.punctuation, open), (.omission, omission(count)), (.punctuation, close)]
  }

  static func pieces(ofKey key: Key) -> [PrettyWriter.Piece] {
    let equals: [PrettyWriter.Piece] = [(.space, " "), (.punctuation, "="), (.space, " ")]
    if case .string(let text) = key, Identifier.matches(text) {
      return [(.key, text.string)] + equals
    }
    let inside =
      switch key {
      case .int(let integer): String(integer)
      case .string(let text): Value.string(text).canonicalText
      }
    return [(.punctuation, "["), (.key, inside), (.punctuation, "]")] + equals
  }

  /// Adds a value.
  ///
  /// Returns false if it doesn't fit; the line must then be discarded.
  mutating func add(_ value: Value, depth: Int) -> Bool {
    switch value {
    case .list(let list) where depth < style.depthMax && !list.isEmpty:
      add(list.lazy.map { (nil, $0) }, list.count, depth, "[", "]")
    case .map(let map) where depth < style.depthMax && !map.isEmpty:
      add(map.lazy.map { ($0.key, $0.value) }, map.count, depth, "{", "}")
    // A text has at most four bytes a column, so one that is too long is rejected without writing
    // it.
    case .string(let text) where text.utf8Count > 4 * max(0, widthLeft): false
    default: add(Self.pieces(ofScalar: value))
    }
  }

  private mutating func add(
    _ items: some Sequence<(Key?, Value)>, _ count: Int, _ depth: Int, _ open: String,
    _ close: String
  ) -> Bool {
    // If there are more items than the limit, or too many for the width, each gets its own line.
    if count > style.itemCountMax || 3 * count > widthLeft { return false }
    guard add([(.punctuation, open)]) else { return false }
    var isFirst = true
    for (key, value) in items {
      if !isFirst, !add([(.punctuation, ","), (.space, " ")]) { return false }
      isFirst = false
      if let key, !add(Self.pieces(ofKey: key)) { return false }
      if !add(value, depth: depth + 1) { return false }
    }
    return add([(.punctuation, close)])
  }

  private mutating func add(_ new: [PrettyWriter.Piece]) -> Bool {
    for piece in new { widthLeft -= piece.text.count }
    pieces += new
    return widthLeft >= 0
  }
}
