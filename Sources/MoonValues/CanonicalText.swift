extension Value {
  /// The canonical text: equal values have equal bytes, and parsing them gives the value back.
  ///
  /// JSON (RFC 8259) without spaces. Keys are in key order; an integer key 10 is written as
  /// `"[10]"`, and a text key of that form (brackets, digits, bracket) gets one more `[` in front.
  /// Integers are decimal. Doubles have the fewest digits that read back to the same bits, with a
  /// `.` or an `e` to distinguish them from integers, as Swift's `description` writes them: `1.0`,
  /// `-0.0`, `1e+100`; infinity is `1e999`. Only `"`, `\` and characters below U+0020 are escaped.
  /// NaN, which no value holds, would be `null`.
  ///
  /// - Complexity: O(size of the value).
  public var canonicalText: String {
    var bytes: [UInt8] = []
    writeCanonical(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The canonical text of a value's parts.
package enum CanonicalText {
  /// The maximum number of bytes of an integer or a double.
  static let numberByteCountMax = 24
  /// The maximum number of bytes of an escape.
  static let escapeByteCountMax = 6

  package static func write(_ integer: Int64, into bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: numberByteCountMax) { buffer in
      var start = buffer.count
      var digits = integer.magnitude
      repeat {
        start -= 1
        buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10)
        digits /= 10
      } while digits > 0
      if integer < 0 {
        start -= 1
        buffer[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
    }
  }

  package static func write(_ double: Double, into bytes: inout [UInt8]) {
    let text =
      if double.isNaN {
        "null"
      } else if double.isInfinite {
        double > 0 ? "1e999" : "-1e999"
      } else {
        double.description
      }
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a text in quotes.
  package static func write(_ text: Text, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { writeEscaped($0, into: &bytes) }
    bytes.append(UInt8(ascii: "\""))
  }

  package static func write(_ key: Key, into bytes: inout [UInt8]) {
    switch key {
    case .int(let integer):
      bytes.append(contentsOf: "\"[".utf8)
      write(integer, into: &bytes)
      bytes.append(contentsOf: "]\"".utf8)
    case .string(let text):
      bytes.append(UInt8(ascii: "\""))
      text.withUTF8 {
        if BracketedKey.matches($0) { bytes.append(UInt8(ascii: "[")) }
        writeEscaped($0, into: &bytes)
      }
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Writes a text's bytes in their form within quotes.
  static func writeEscaped(
    _ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]
  ) {
    var runStart = 0
    for index in text.indices {
      let byte = text[index]
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<index]))
      runStart = index + 1
      bytes.append(UInt8(ascii: "\\"))
      switch byte {
      case 0x08: bytes.append(UInt8(ascii: "b"))
      case 0x09: bytes.append(UInt8(ascii: "t"))
      case 0x0A: bytes.append(UInt8(ascii: "n"))
      case 0x0C: bytes.append(UInt8(ascii: "f"))
      case 0x0D: bytes.append(UInt8(ascii: "r"))
      case 0..<0x20:
        bytes.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
        let digit = byte & 0xF
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      default: bytes.append(byte)
      }
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart...]))
  }
}

/// The form of an integer key among JSON's text keys, `[10]`, and its escape, `[[10]`.
enum BracketedKey {
  /// Whether the bytes are brackets, an optional minus, digits and a bracket.
  static func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= 3, bytes[0] == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else {
      return false
    }
    var digits = bytes.drop { $0 == UInt8(ascii: "[") }.dropLast()
    if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
    return !digits.isEmpty && digits.allSatisfy(isDigit)
  }

  /// The key that is written as these bytes.
  ///
  /// A single bracket around anything but a canonical 64-bit integer is part of the text.
  static func key(writtenAs bytes: UnsafeBufferPointer<UInt8>) -> Key {
    guard matches(bytes) else { return .string(Text(validUTF8: bytes)) }
    if bytes[1] == UInt8(ascii: "[") {
      return .string(Text(validUTF8: UnsafeBufferPointer(rebasing: bytes[1...])))
    }
    let digits = String(decoding: bytes[1..<(bytes.count - 1)], as: UTF8.self)
    // It must have the same text, which excludes leading zeros and minus zero.
    if let integer = Int64(digits), String(integer) == digits { return .int(integer) }
    return .string(Text(validUTF8: bytes))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
