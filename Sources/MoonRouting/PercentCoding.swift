import MoonValues

/// The meaning of a `+` in a URL.
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
  /// Decodes bytes whose escapes have been checked.
  ///
  /// Valid UTF-8 gives a text.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, plus: PlusRule) -> Text {
    guard bytes.contains(where: { $0 == .percent || $0 == .plus }) else {
      return Text(validUTF8: bytes)
    }
    return withDecoded(bytes, plus: plus) { Text(validUTF8: $0) }
  }

  /// Calls `body` with the decoded bytes, which are valid only during the call; the escapes must
  /// have been checked.
  static func withDecoded<R>(
    _ bytes: UnsafeBufferPointer<UInt8>, plus: PlusRule,
    _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { decoded in
      var count = 0
      var index = 0
      while index < bytes.count {
        var byte = bytes[index]
        index += 1
        if byte == .percent, index + 1 < bytes.count {
          let escaped = (bytes[index].hexDigit ?? 0) << 4 | (bytes[index + 1].hexDigit ?? 0)
          byte = escaped == .plus && plus == .everyPlusIsSpace ? .space : escaped
          index += 2
        } else if byte == .plus, plus != .kept {
          byte = .space
        }
        decoded.initializeElement(at: count, to: byte)
        count += 1
      }
      return body(UnsafeBufferPointer(rebasing: decoded[..<count]))
    }
  }

  /// Returns the first `%` in a range that isn't followed by two hexadecimal digits.
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

  /// Returns where the decoded bytes of a range stop being UTF-8; its escapes must have been
  /// checked.
  static func invalidUTF8(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    let found = withDecoded(bytes.slice(range), plus: .kept) {
      UTF8Validation.invalidOffset(in: $0)
    }
    guard let wrong = found else { return nil }
    var index = range.lowerBound
    for _ in 0..<wrong { index += bytes[index] == .percent ? 3 : 1 }
    return index
  }

  /// Appends bytes, escaping only those that a URL can't hold.
  static func appendCanonical(_ bytes: some Sequence<UInt8>, to result: inout [UInt8]) {
    for byte in bytes {
      if byte.needsEscape { appendEscape(byte, to: &result) } else { result.append(byte) }
    }
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

  /// Appends bytes of a URL, escaping those of a set outside of escapes as well.
  static func append(_ bytes: [UInt8], escaping set: Set<UInt8>, to result: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      if bytes[index] == .percent, index + 2 < bytes.count {
        result += bytes[index...(index + 2)]
        index += 3
      } else {
        if set.contains(bytes[index]) {
          appendEscape(bytes[index], to: &result)
        } else {
          result.append(bytes[index])
        }
        index += 1
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
  static let ampersand = UInt8(ascii: "&")
  static let equals = UInt8(ascii: "=")

  var isASCIIDigit: Bool { self &- 0x30 < 10 }
  var isASCIICapital: Bool { self &- 0x41 < 26 }
  var lowercased: UInt8 { isASCIICapital ? self | 0x20 : self }
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

  /// The text with small ASCII letters.
  var lowercased: Text {
    guard withUTF8({ $0.contains(where: \.isASCIICapital) }) else { return self }
    return Text(validUTF8: bytes.map(\.lowercased)[...])
  }
}
