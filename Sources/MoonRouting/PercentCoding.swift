import MoonValues

/// What a `+` in a URL means.
public enum PlusRule: Hashable, Sendable {
  /// A space, even if written `%2B`, since JLRoutes replaces after decoding.
  case everyPlusIsSpace
  /// A space; `%2B` is a plus, as in HTML forms.
  case literalPlusIsSpace
  /// A plus.
  case kept
}

/// Percent-encoding (RFC 3986 §2.1) of bytes.
enum PercentCoding {
  /// Decodes bytes whose escapes were checked.
  ///
  /// Valid UTF-8 gives a text.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, plus: PlusRule) -> Text {
    guard bytes.contains(where: { $0 == .percent || $0 == .plus }) else {
      return Text(validUTF8: bytes)
    }
    return decodedBytes(bytes, plus: plus).withUnsafeBufferPointer { Text(validUTF8: $0) }
  }

  static func decodedBytes(_ bytes: some Sequence<UInt8>, plus: PlusRule) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.underestimatedCount)
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      if byte == .percent, let high = iterator.next(), let low = iterator.next() {
        let escaped = (high.hexDigit ?? 0) << 4 | (low.hexDigit ?? 0)
        decoded.append(escaped == .plus && plus == .everyPlusIsSpace ? .space : escaped)
      } else {
        decoded.append(byte == .plus && plus != .kept ? .space : byte)
      }
    }
    return decoded
  }

  /// The first `%` in a range that isn't followed by two hexadecimal digits.
  static func malformedEscape(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      if bytes[index] == .percent {
        guard index + 2 < range.upperBound, bytes[index + 1].hexDigit != nil,
          bytes[index + 2].hexDigit != nil
        else { return index }
        index += 3
      } else {
        index += 1
      }
    }
    return nil
  }

  /// Where the decoded bytes of a range stop being UTF-8; its escapes must have been checked.
  static func invalidUTF8(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    let decoded = decodedBytes(bytes[range], plus: .kept)
    guard let wrong = decoded.withUnsafeBufferPointer({ UTF8Validation.invalidOffset(in: $0) })
    else { return nil }
    var index = range.lowerBound
    for _ in 0..<wrong { index += bytes[index] == .percent ? 3 : 1 }
    return index
  }

  /// The bytes, with those that a URL can't hold escaped and all others as they are.
  static func canonical(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      if byte.needsEscape { appendEscape(byte, to: &result) } else { result.append(byte) }
    }
    return result
  }

  /// Appends a value that can stand anywhere in a URL: all but the unreserved characters (RFC 3986
  /// §2.3) are escaped.
  static func appendEncoded(_ text: Text, to result: inout [UInt8]) {
    text.withUTF8 { bytes in
      for byte in bytes {
        let isUnreserved =
          byte.isASCIIAlphanumeric || byte == .hyphen || byte == .dot || byte == .underscore
          || byte == UInt8(ascii: "~")
        if isUnreserved { result.append(byte) } else { appendEscape(byte, to: &result) }
      }
    }
  }

  private static func appendEscape(_ byte: UInt8, to result: inout [UInt8]) {
    result.append(.percent)
    result.append(hexDigit(byte >> 4))
    result.append(hexDigit(byte & 15))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? .zero + value : UInt8(ascii: "A") + (value - 10)
  }
}

extension UInt8 {
  static let space = UInt8(ascii: " ")
  static let hash = UInt8(ascii: "#")
  static let percent = UInt8(ascii: "%")
  static let plus = UInt8(ascii: "+")
  static let hyphen = UInt8(ascii: "-")
  static let dot = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let zero = UInt8(ascii: "0")
  static let colon = UInt8(ascii: ":")
  static let question = UInt8(ascii: "?")
  static let underscore = UInt8(ascii: "_")

  var isASCIIDigit: Bool { self &- 0x30 < 10 }
  var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
  var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIILetter }
  var isControl: Bool { self < 0x20 || self == 0x7F }

  var hexDigit: UInt8? {
    if isASCIIDigit { return self &- 0x30 }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }

  /// Whether a URL must escape the byte (RFC 3986 §2, except brackets).
  var needsEscape: Bool {
    switch self {
    case 0x80..., .space, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
      UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }
}

extension Text {
  /// Copies a slice of bytes that are known to be valid UTF-8.
  init(validUTF8 bytes: ArraySlice<UInt8>) {
    self = bytes.withUnsafeBufferPointer { Text(validUTF8: $0) }
  }

  /// The bytes.
  var bytes: [UInt8] { withUTF8 { Array($0) } }
}
