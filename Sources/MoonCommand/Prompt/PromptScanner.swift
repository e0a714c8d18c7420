import Moonwire

/// Walks over the bytes of a line.
struct PromptScanner {
  private(set) var offset = 0
  private let bytes: [UInt8]

  init(_ line: String) {
    bytes = Array(line.utf8)
  }

  /// The byte ahead; nil at the end.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var isAtEnd: Bool { offset == bytes.count }

  /// All that is ahead.
  var rest: String { String(decoding: bytes[offset...], as: UTF8.self) }

  /// All that is ahead, without white space at its end.
  var trimmedRest: String {
    let end = bytes[offset...].lastIndex { !Self.isSpace($0) } ?? offset - 1
    return String(decoding: bytes[offset..<(end + 1)], as: UTF8.self)
  }

  mutating func advance(by count: Int = 1) {
    offset = min(offset + count, bytes.count)
  }

  mutating func skipSpace() {
    while let byte, Self.isSpace(byte) { offset += 1 }
  }

  /// Takes what is ahead up to white space.
  mutating func word() -> String {
    let start = offset
    while let byte, !Self.isSpace(byte) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Takes what is ahead up to white space or one of these bytes.
  mutating func word(upTo stop: UInt8) -> String {
    let start = offset
    while let byte, !Self.isSpace(byte), byte != stop { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Makes an error at an offset, or at the place ahead.
  func error(_ reason: PromptLineError.Reason, at offset: Int? = nil) -> PromptLineError {
    let before = bytes.prefix(max(0, offset ?? self.offset))
    let column = before.count { $0 & 0xC0 != 0x80 } + 1
    return PromptLineError(reason: reason, column: column)
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }
}

/// Reads the payload behind an action's type.
struct PayloadScanner {
  private var scanner: PromptScanner

  init(_ scanner: PromptScanner) {
    self.scanner = scanner
  }

  /// Nothing, one JSON value, or fields.
  mutating func scan() throws(PromptLineError) -> Value {
    scanner.skipSpace()
    guard let first = scanner.byte else { return .null }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try wholeValue()
    case UInt8(ascii: "\""):
      var ahead = scanner
      if let text = try? Value.parsingPrefix(of: scanner.rest) {
        ahead.advance(by: text.byteCount)
        if ahead.byte == UInt8(ascii: "=") { return try fields() }
      }
      return try wholeValue()
    default:
      if let scalar = try? Value(parsing: scanner.rest) { return scalar }
      return try fields()
    }
  }

  /// Reads `name=text …`, the texts as they are or quoted; one may be empty.
  mutating func texts() throws(PromptLineError) -> [FilledText] {
    var texts: [FilledText] = []
    while true {
      scanner.skipSpace()
      guard !scanner.isAtEnd else { return texts }
      let start = scanner.offset
      let name = try key()
      guard !texts.contains(where: { $0.name == name }) else {
        throw scanner.error(.duplicateField(name), at: start)
      }
      let isQuoted = scanner.byte == UInt8(ascii: "\"")
      let text = isQuoted ? try value(of: name).stringValue ?? "" : scanner.word()
      texts.append(FilledText(name: name, text: text))
    }
  }

  private mutating func wholeValue() throws(PromptLineError) -> Value {
    let start = scanner.offset
    do throws(ParseError) {
      return try Value(parsing: scanner.rest)
    } catch {
      throw scanner.error(.notJSON(error.reason), at: start + error.offset)
    }
  }

  private mutating func fields() throws(PromptLineError) -> Value {
    var map = Map()
    while true {
      scanner.skipSpace()
      guard !scanner.isAtEnd else { return .map(map) }
      let start = scanner.offset
      let key = try self.key()
      guard map[key] == nil else { throw scanner.error(.duplicateField(key), at: start) }
      map[.string(Text(key))] = try value(of: key)
    }
  }

  private mutating func key() throws(PromptLineError) -> String {
    let start = scanner.offset
    var key: String
    if scanner.byte == UInt8(ascii: "\""),
      let (quoted, count) = try? Value.parsingPrefix(of: scanner.rest),
      let text = quoted.stringValue
    {
      key = text
      scanner.advance(by: count)
    } else {
      key = scanner.word(upTo: UInt8(ascii: "="))
    }
    guard scanner.byte == UInt8(ascii: "="), scanner.offset > start else {
      throw scanner.error(.notAField(key + scanner.word()), at: start)
    }
    scanner.advance()
    return key
  }

  private mutating func value(of key: String) throws(PromptLineError) -> Value {
    guard let first = scanner.byte, !PromptScanner.isSpace(first) else {
      throw scanner.error(.missingValue(key))
    }
    let isQuotedOrNested = [UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "[")].contains(
      first)
    guard isQuotedOrNested else {
      let word = scanner.word()
      return (try? Value(parsing: word)) ?? .string(Text(word))
    }
    let start = scanner.offset
    let found: (value: Value, byteCount: Int)
    do throws(ParseError) {
      found = try Value.parsingPrefix(of: scanner.rest)
    } catch {
      throw scanner.error(.notJSON(error.reason), at: start + error.offset)
    }
    scanner.advance(by: found.byteCount)
    guard scanner.byte.map(PromptScanner.isSpace) ?? true else {
      throw scanner.error(.textAfterValue)
    }
    return found.value
  }
}
