/// How much of a value is shown to people, and how wide.
public struct PrettyStyle: Hashable, Sendable {
  /// How many columns a line should have at most; a long text may exceed it.
  public var width = 80
  /// How deep lists and maps are opened: what is below is shown as its number of items.
  public var depthMax = 4
  /// How many items of a list or map are shown.
  public var itemCountMax = 50
  /// How many bytes are shown in all, apart from what marks and closes what was left out.
  public var byteCountMax = 10_000

  /// The greatest ``width`` that has an effect; a greater one counts as this.
  static let widthMax = 1 << 20

  /// A style that suits a terminal.
  public init() {}
}

/// A piece of pretty text, by what it is, so that whoever shows it can colour it.
public enum PrettyToken: Hashable, Sendable {
  /// A map's key, as far as it is text: brackets around it are punctuation.
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
  /// What stands for what was left out, such as `… (1203 more)`.
  case omission
}

extension Value {
  /// The value as people read it, on one line if it fits: `{count = 1, log = ["a", "b"]}`.
  ///
  /// Lists stand in `[]`, maps in `{}` with `=` between key and value; keys that aren't
  /// identifiers are in brackets as in Lua. Numbers and quotes are as in ``canonicalText``.
  /// Can't be parsed back: what exceeds the style's limits is replaced by `… (n more)`.
  ///
  /// - Complexity: O(what is shown).
  public func prettyText(_ style: PrettyStyle = PrettyStyle()) -> String {
    var text = ""
    writePretty(style) { _, piece in text += piece }
    return text
  }

  /// Hands the pieces of ``prettyText(_:)`` to a closure, in order.
  ///
  /// - Complexity: O(what is shown).
  public func writePretty(
    _ style: PrettyStyle = PrettyStyle(), to emit: (PrettyToken, String) -> Void
  ) {
    withoutActuallyEscaping(emit) { emit in
      // A width may come from the environment: within these bounds no sum overflows.
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

  /// Emits a piece, a text only as far as bytes are left.
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

  /// Adds a value; false, with the line to be thrown away, if it doesn't fit.
  mutating func add(_ value: Value, depth: Int) -> Bool {
    switch value {
    case .list(let list) where depth < style.depthMax && !list.isEmpty:
      add(list.lazy.map { (nil, $0) }, list.count, depth, "[", "]")
    case .map(let map) where depth < style.depthMax && !map.isEmpty:
      add(map.lazy.map { ($0.key, $0.value) }, map.count, depth, "{", "}")
    // A text has at least as many bytes as a quarter of its columns: don't write it for nothing.
    case .string(let text) where text.utf8Count > 4 * max(0, widthLeft): false
    default: add(Self.pieces(ofScalar: value))
    }
  }

  private mutating func add(
    _ items: some Sequence<(Key?, Value)>, _ count: Int, _ depth: Int, _ open: String,
    _ close: String
  ) -> Bool {
    // Items beyond the limit get a line of their own, as do items too many for the width.
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
