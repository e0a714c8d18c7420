import Moonwire

/// The words of an unfinished payload.
enum FieldWords {
  /// The start of the word at the cursor, and the keys before it; nil inside a value that isn't a
  /// simple word.
  static func last(in bytes: ArraySlice<UInt8>) -> (start: Int, used: Set<String>)? {
    var used: Set<String> = []
    var start = bytes.endIndex
    var quote: UInt8?
    var isEscaped = false
    var depth = 0
    var previous = UInt8(ascii: " ")
    for (index, byte) in zip(bytes.indices, bytes) {
      if let opening = quote {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == opening {
          quote = nil
        }
        previous = byte
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): quote = byte
      // Elsewhere it is an apostrophe.
      case UInt8(ascii: "'") where previous == UInt8(ascii: "=") || PromptScanner.isSpace(previous):
        quote = byte
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      if depth <= 0, PromptScanner.isSpace(previous), !PromptScanner.isSpace(byte) { start = index }
      if depth <= 0, PromptScanner.isSpace(byte), start < index {
        if let key = key(of: bytes[start..<index]) { used.insert(key) }
        start = bytes.endIndex
      }
      previous = byte
    }
    guard quote == nil, depth <= 0 else { return nil }
    return (start, used)
  }

  private static func key(of word: ArraySlice<UInt8>) -> String? {
    word.firstIndex(of: UInt8(ascii: "=")).map { String(decoding: word[..<$0], as: UTF8.self) }
  }
}

/// An unfinished Lua string.
enum LuaString {
  /// The position of the quote that opens an unclosed string.
  static func open(in bytes: [UInt8]) -> Int? {
    var open: Int?
    var isEscaped = false
    for (index, byte) in bytes.enumerated() {
      if let quote = open {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == bytes[quote] {
          open = nil
        }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        open = index
      }
    }
    return open
  }

  /// The name before a string, with or without a parenthesis between.
  static func function(in bytes: [UInt8], before quote: Int) -> String {
    var end = quote
    while end > 0, PromptScanner.isSpace(bytes[end - 1]) { end -= 1 }
    if end > 0, bytes[end - 1] == UInt8(ascii: "(") { end -= 1 }
    while end > 0, PromptScanner.isSpace(bytes[end - 1]) { end -= 1 }
    var start = end
    while start > 0, isName(bytes[start - 1]) { start -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || (48...57).contains(byte)
      || (65...90).contains(byte) || (97...122).contains(byte)
  }
}

/// The finished part of an unfinished path.
enum PathStem {
  /// The path up to the last step; nil if it isn't a path.
  static func stem(of text: String) -> Path? {
    let bytes = Array(text.utf8)
    var cut = 0
    var isQuoted = false
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\""), index == 0 || bytes[index - 1] != UInt8(ascii: "\\") {
        isQuoted.toggle()
      }
      if !isQuoted, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") { cut = index }
    }
    return try? Path(parsing: String(decoding: bytes[..<cut], as: UTF8.self))
  }
}
