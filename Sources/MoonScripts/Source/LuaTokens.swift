/// Splits the text of a script into tokens.
///
/// The text compiles, so the tokens needn't be checked.
struct LuaTokens {
  /// A token with the number of its line, from 1.
  struct Token: Equatable {
    /// The kind of token.
    enum Kind {
      case name, keyword, text, number, symbol
    }

    let kind: Kind
    /// The bytes; of a text, those inside its quotes.
    let bytes: ArraySlice<UInt8>
    let line: Int
  }

  /// The keywords of Lua 5.4.
  private static let keywords = Set(
    [
      "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
      "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ].map { Array($0.utf8)[...] })

  private let source: [UInt8]
  private var at = 0
  private var line = 1
  /// Receives the text of each one-line comment, after the hyphens, and its line.
  var comment: (ArraySlice<UInt8>, Int) -> Void = { _, _ in }

  init(_ source: [UInt8]) {
    self.source = source
    if source.first == UInt8(ascii: "#") { skipLine() }
  }

  /// Returns the next token; nil at the end.
  mutating func next() -> Token? {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        at += 1
      case UInt8(ascii: " "), 9, 11, 12, 13: at += 1
      case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"): skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoted(byte)
      case UInt8(ascii: "["):
        if let level = longLevel() { return token(.text, long(level)) }
        return symbol()
      default:
        if Self.isWord(byte) { return word() }
        return symbol()
      }
    }
    return nil
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    at + offset < source.count ? source[at + offset] : nil
  }

  private func token(_ kind: Token.Kind, _ range: Range<Int>, line: Int? = nil) -> Token {
    Token(kind: kind, bytes: source[range], line: line ?? self.line)
  }

  static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte)
      || (97...122).contains(byte)
  }

  private mutating func word() -> Token {
    let start = at
    let isNumber = (48...57).contains(source[at])
    while let byte = peek(), Self.isWord(byte) || (isNumber && byte == UInt8(ascii: ".")) {
      at += 1
    }
    if isNumber { return token(.number, start..<at) }
    return token(Self.keywords.contains(source[start..<at]) ? .keyword : .name, start..<at)
  }

  /// Reads one byte, or as many consecutive dots, colons or comparison signs as there are.
  private mutating func symbol() -> Token {
    let start = at
    let first = source[at]
    at += 1
    switch first {
    case UInt8(ascii: "."): while peek() == first { at += 1 }
    case UInt8(ascii: ":"): if peek() == first { at += 1 }
    case UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "~"):
      if peek() == UInt8(ascii: "=") { at += 1 }
    default: break
    }
    return token(.symbol, start..<at)
  }

  private mutating func quoted(_ quote: UInt8) -> Token {
    let begun = line
    at += 1
    let start = at
    while let byte = peek(), byte != quote {
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "\n") { line += 1 }
      at += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    let end = min(at, source.count)
    at = min(at + 1, source.count)
    return token(.text, start..<end, line: begun)
  }

  /// Returns the number of equals signs in the opening bracket of a long text here; nil if there is
  /// none.
  private func longLevel() -> Int? {
    var level = 0
    while peek(1 + level) == UInt8(ascii: "=") { level += 1 }
    return peek(1 + level) == UInt8(ascii: "[") ? level : nil
  }

  private mutating func long(_ level: Int) -> Range<Int> {
    at += level + 2
    let start = at
    while let byte = peek() {
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte == UInt8(ascii: "]"), closes(level) {
        let end = at
        at += level + 2
        return start..<end
      }
      at += 1
    }
    return start..<at
  }

  private func closes(_ level: Int) -> Bool {
    (0..<level).allSatisfy { peek(1 + $0) == UInt8(ascii: "=") }
      && peek(1 + level) == UInt8(ascii: "]")
  }

  private mutating func skipComment() {
    at += 2
    if peek() == UInt8(ascii: "["), let level = longLevel() {
      _ = long(level)
      return
    }
    let start = at
    skipLine()
    comment(source[start..<at], line)
  }

  private mutating func skipLine() {
    while let byte = peek(), byte != UInt8(ascii: "\n") { at += 1 }
  }
}
