import Moonwire

/// A scanner of the payload after an action's type.
struct PayloadScanner {
  private var scanner: PromptScanner

  init(_ scanner: PromptScanner) {
    self.scanner = scanner
  }

  /// Reads nothing, one JSON value, or fields.
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
      var ahead = scanner
      if let text = ahead.singleQuoted(), ahead.trimmedRest.isEmpty { return .string(Text(text)) }
      if let scalar = try? Value(parsing: scanner.rest) { return scalar }
      return try fields()
    }
  }

  /// Reads texts for inputs, in the form `name=text …`.
  ///
  /// A text may be bare, in single or double quotes, or empty.
  mutating func texts() throws(PromptLineError) -> [InputText] {
    var texts: [InputText] = []
    while true {
      scanner.skipSpace()
      guard !scanner.isAtEnd else { return texts }
      let start = scanner.offset
      let name = try key()
      guard !texts.contains(where: { $0.name == name }) else {
        throw scanner.error(.duplicateField(name), at: start)
      }
      let text = scanner.isAtQuote ? try quotedText(of: name) : scanner.word()
      texts.append(InputText(name: name, text: text))
    }
  }

  private mutating func quotedText(of name: String) throws(PromptLineError) -> String {
    if scanner.byte == UInt8(ascii: "\"") { return try value(of: name).stringValue ?? "" }
    return scanner.singleQuoted() ?? scanner.word()
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
    } else if let text = scanner.singleQuoted(before: UInt8(ascii: "=")) {
      key = text
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
    if let text = scanner.singleQuoted() { return .string(Text(text)) }
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

/// A text to fill in an input with.
struct InputText: Equatable, Sendable {
  let name: String
  let text: String
}
