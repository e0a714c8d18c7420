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
    var text = TextBytes(capacity: storedByteCount)
    writeCanonical(into: &text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// The number of bytes of the canonical text, of a list or map, which stores it; 0 for others.
  var storedByteCount: Int {
    switch self {
    case .list, .map: canonicalByteCount
    case .null, .bool, .int, .double, .string: 0
    }
  }
}

/// The canonical text of a value's parts.
package enum CanonicalText {
  /// The maximum number of bytes of an integer or a double.
  static let numberByteCountMax = 24
  /// The maximum number of bytes of an escape.
  static let escapeByteCountMax = 6

  package static func write(_ integer: Int64, into bytes: inout TextBytes) {
    var count = byteCount(of: integer)
    if integer < 0 {
      bytes.append(UInt8(ascii: "-"))
      count &-= 1
    }
    bytes.append(digitsOf: integer.magnitude, count: count)
  }

  package static func write(_ double: Double, into bytes: inout TextBytes) {
    if let thousandths = Thousandths(double) { return thousandths.write(into: &bytes) }
    var text =
      if double.isNaN {
        "null"
      } else if double.isInfinite {
        double > 0 ? "1e999" : "-1e999"
      } else {
        double.description
      }
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Writes a text in quotes.
  package static func write(_ text: Text, into bytes: inout TextBytes) {
    if let (high, low) = text.packed, !EscapeScan.isFound(inPacked: high, low) {
      return write(plain: high, low, into: &bytes)
    }
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { writeEscaped($0, into: &bytes) }
    bytes.append(UInt8(ascii: "\""))
  }

  package static func write(_ key: Key, into bytes: inout TextBytes) {
    switch key {
    case .int(let integer):
      bytes.append("\"[")
      write(integer, into: &bytes)
      bytes.append("]\"")
    case .string(let text):
      bytes.append(UInt8(ascii: "\""))
      text.withUTF8 {
        if BracketedKey.matches($0) { bytes.append(UInt8(ascii: "[")) }
        writeEscaped($0, into: &bytes)
      }
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Writes a small text without characters to escape in quotes.
  static func write(plain high: UInt64, _ low: UInt64, into bytes: inout TextBytes) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(packed: high, low)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a text's bytes in their form within quotes.
  static func writeEscaped(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout TextBytes) {
    var start = 0
    while true {
      let end = start &+ EscapeScan.plainCount(in: text, from: start)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
      if end == text.count { return }
      writeEscape(of: text[end], into: &bytes)
      start = end &+ 1
    }
  }

  private static func writeEscape(of byte: UInt8, into bytes: inout TextBytes) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      bytes.append(byte < 0x10 ? "u000" : "u001")
      let digit = byte & 0xF
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    default: bytes.append(byte)
    }
  }
}

/// A double with at most three digits after the point, such as a time to the millisecond.
///
/// Its shortest text is found by integer arithmetic.
struct Thousandths {
  /// Two decimal numbers of at most 15 digits never have the same double, so that none is shorter.
  private static let digitsMax: Double = 1e15

  private let isNegative: Bool
  /// The digits before the point, and those after it without zeros at the end, of which there is
  /// one at least.
  private let whole: UInt64
  private let fraction: UInt64
  private let fractionCount: Int

  /// Returns nil for a number that has more digits, for zero and for an infinite number.
  init?(_ double: Double) {
    let scaled = (double.magnitude * 1000).rounded()
    guard scaled >= 1, scaled < Self.digitsMax, scaled / 1000 == double.magnitude else {
      return nil
    }
    isNegative = double < 0
    let digits = UInt64(scaled)
    whole = digits / 1000
    let rest = digits % 1000
    if rest % 100 == 0 {
      (fraction, fractionCount) = (rest / 100, 1)
    } else if rest % 10 == 0 {
      (fraction, fractionCount) = (rest / 10, 2)
    } else {
      (fraction, fractionCount) = (rest, 3)
    }
  }

  var byteCount: Int {
    CanonicalText.byteCount(of: Int64(whole)) &+ fractionCount &+ (isNegative ? 2 : 1)
  }

  fileprivate func write(into bytes: inout TextBytes) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    CanonicalText.write(Int64(whole), into: &bytes)
    bytes.append(UInt8(ascii: "."))
    bytes.append(digitsOf: fraction, count: fractionCount)
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
