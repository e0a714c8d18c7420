// The strings of a JSON text.

extension ValueParser {
  /// Parses a quoted string at the offset.
  mutating func parseText() throws(ParseError) -> Text {
    if let words = passSmallText() { return Text(packed: words) }
    return try parseAnyText()
  }

  /// Parses a key at the offset.
  mutating func parseKeyText() throws(ParseError) -> PackedKey {
    let start = offset
    if let words = passSmallText() {
      if words.0 &>> 56 != UInt64(UInt8(ascii: "[")) { return PackedKey(packed: words) }
      offset = start
    }
    return PackedKey(try parseString(BracketedKey.key(writtenAs:)))
  }

  @inline(never)
  private mutating func parseAnyText() throws(ParseError) -> Text {
    try parseString { Text(validUTF8: $0) }
  }

  /// Passes a string of at most fifteen bytes without escapes, and returns it as `Text` packs it.
  ///
  /// Returns nil and passes nothing if the string isn't of that kind, or if fewer than 16 bytes
  /// follow the quote, since words are read at once.
  private mutating func passSmallText() -> (UInt64, UInt64)? {
    let start = offset &+ 1
    guard bytes.count &- start >= 16 else { return nil }
    let word = word(at: start)
    let count = EscapeScan.countBeforeMark(EscapeScan.marks(word))
    if count < 8 {
      guard bytes[start &+ count] == UInt8(ascii: "\"") else { return nil }
      offset = start &+ count &+ 1
      return (Self.packed(word, count), UInt64(truncatingIfNeeded: count))
    }
    let next = self.word(at: start &+ 8)
    let more = EscapeScan.countBeforeMark(EscapeScan.marks(next))
    guard more < 8, bytes[start &+ 8 &+ more] == UInt8(ascii: "\"") else { return nil }
    offset = start &+ 8 &+ more &+ 1
    return (word.bigEndian, Self.packed(next, more) | UInt64(truncatingIfNeeded: 8 &+ more))
  }

  /// The first bytes of a word, fewer than eight, from the high byte on.
  private static func packed(_ word: UInt64, _ count: Int) -> UInt64 {
    word.bigEndian & ~(UInt64.max &>> UInt64(truncatingIfNeeded: count &* 8))
  }

  /// Eight bytes, the first of which is the lowest.
  private func word(at offset: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawBufferPointer(bytes)
        .loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Parses any quoted string at the offset and converts its bytes.
  private mutating func parseString<R>(
    _ make: (UnsafeBufferPointer<UInt8>) -> R
  ) throws(ParseError) -> R {
    offset += 1
    let start = offset
    skipPlainBytes()
    guard offset < bytes.count else { throw failure(.unexpectedEnd, at: offset) }
    if bytes[offset] == UInt8(ascii: "\"") {
      offset += 1
      return make(UnsafeBufferPointer(rebasing: bytes[start..<(offset - 1)]))
    }
    try unescape(from: start)
    return scratch.withUnsafeBufferPointer(make)
  }

  /// Passes bytes that stand for themselves, up to a quote, a backslash, a control character or the
  /// end.
  private mutating func skipPlainBytes() {
    offset &+= EscapeScan.plainCount(in: bytes, from: offset)
  }
}

// MARK: Escapes

extension ValueParser {
  /// Reads a string with escapes, whose content begins at `start`, into the scratch buffer.
  private mutating func unescape(from start: Int) throws(ParseError) {
    scratch.removeAll(keepingCapacity: true)
    var start = start
    while true {
      scratch.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<offset]))
      guard offset < bytes.count else { throw failure(.unexpectedEnd, at: offset) }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"): try parseEscape()
      case let byte: throw failure(.controlCharacter(byte), at: offset)
      }
      start = offset
      skipPlainBytes()
    }
  }

  private mutating func parseEscape() throws(ParseError) {
    let start = offset
    guard start + 1 < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
    offset += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(bytes[start + 1])
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "u"): try parseCodePoint(from: start)
    default: throw failure(.invalidEscape, at: start)
    }
  }

  private mutating func parseCodePoint(from start: Int) throws(ParseError) {
    var code = try parseHex(from: start)
    if code & 0xFC00 == 0xD800 {
      guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
        bytes[offset + 1] == UInt8(ascii: "u")
      else { throw failure(.loneSurrogate, at: start) }
      offset += 2
      let low = try parseHex(from: offset - 2)
      guard low & 0xFC00 == 0xDC00 else { throw failure(.loneSurrogate, at: start) }
      code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
    }
    guard let scalar = Unicode.Scalar(code) else { throw failure(.loneSurrogate, at: start) }
    scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private mutating func parseHex(from start: Int) throws(ParseError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count else { throw failure(.unexpectedEnd, at: offset) }
      let byte = bytes[offset]
      let lower = byte | 0x20
      if byte &- UInt8(ascii: "0") < 10 {
        code = code << 4 | UInt32(byte - UInt8(ascii: "0"))
      } else if lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "f") {
        code = code << 4 | UInt32(lower - UInt8(ascii: "a") + 10)
      } else {
        throw failure(.invalidEscape, at: start)
      }
      offset += 1
    }
    return code
  }
}
