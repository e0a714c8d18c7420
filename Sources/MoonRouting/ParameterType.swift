package import MoonValues

/// The type of a parameter's value, written `:name<type>`.
///
/// The cases are in order of specificity, the most specific first.
public enum ParameterType: UInt8, Hashable, Sendable, CaseIterable {
  /// `<int>`: an optional minus and digits, in 64 bits; becomes an integer.
  case int
  /// `<number>`: `<int>`, or with a fraction, an exponent or both; becomes an integer if it is an
  /// `<int>`, else a finite double. A `+` is never accepted, as it may mean a space in a URL.
  case number
  /// `<uuid>`: 8-4-4-4-12 hexadecimal digits of either case (RFC 9562 §4); remains a text.
  case uuid
  /// `<slug>`: lower-case ASCII letters and digits in groups joined by single hyphens.
  case slug
  /// `<word>`: ASCII letters, digits and underscores.
  case word
  /// No type: any text that isn't empty.
  case text

  /// The type written between angle brackets; nil if no type has that name.
  package init?(named name: Text) {
    switch name.string {
    case "int": self = .int
    case "number": self = .number
    case "uuid": self = .uuid
    case "slug": self = .slug
    case "word": self = .word
    default: return nil
    }
  }

  /// The text between angle brackets; empty for ``text``.
  package var name: String {
    switch self {
    case .int: "int"
    case .number: "number"
    case .uuid: "uuid"
    case .slug: "slug"
    case .word: "word"
    case .text: ""
    }
  }

  /// Returns the value of a decoded text; nil if it isn't of this type.
  package func value(of text: Text) -> Value? {
    text.withUTF8 { bytes -> Value? in
      guard accepts(bytes) else { return nil }
      switch self {
      case .int, .number:
        if let integer = Self.integer(bytes) { return .int(integer) }
        return Double(text.string).map { .double($0) }
      case .uuid, .slug, .word, .text:
        return .string(text)
      }
    }
  }

  /// Returns whether every text of the other type is also of this type.
  func covers(_ other: ParameterType) -> Bool {
    self == other || self == .text || (self == .number && other == .int)
  }

  /// Returns whether decoded bytes are of this type.
  func accepts(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch self {
    case .int: Self.integer(bytes) != nil
    case .number: Self.isNumber(bytes)
    case .uuid: Self.isUUID(bytes)
    case .slug: Self.isSlug(bytes)
    case .word: !bytes.isEmpty && bytes.allSatisfy { $0.isASCIIAlphanumeric || $0 == .underscore }
    case .text: !bytes.isEmpty
    }
  }

  private static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = bytes.first == .hyphen
    let digits = isNegative ? bytes.dropFirst() : bytes[...]
    guard !digits.isEmpty else { return nil }
    var result: Int64 = 0
    for digit in digits {
      guard digit.isASCIIDigit else { return nil }
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      // Accumulates downwards, since there is one more negative integer than positive ones.
      let (difference, underflow) = product.subtractingReportingOverflow(
        Int64(digit &- UInt8.zero))
      guard !overflow, !underflow else { return nil }
      result = difference
    }
    if isNegative { return result }
    return result == .min ? nil : -result
  }

  private static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = bytes[...]
    if rest.first == .hyphen { rest.removeFirst() }
    guard dropDigits(&rest) else { return false }
    if rest.first == .dot {
      rest.removeFirst()
      guard dropDigits(&rest) else { return false }
    }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == .hyphen { rest.removeFirst() }
      guard dropDigits(&rest) else { return false }
    }
    guard rest.isEmpty else { return false }
    return Double(String(decoding: bytes, as: UTF8.self))?.isFinite ?? false
  }

  private static func dropDigits(_ bytes: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let rest = bytes.drop { $0.isASCIIDigit }
    defer { bytes = rest }
    return rest.startIndex > bytes.startIndex
  }

  private static func isUUID(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 36 else { return false }
    for (index, byte) in bytes.enumerated() {
      let isHyphenPlace = index == 8 || index == 13 || index == 18 || index == 23
      guard isHyphenPlace ? byte == .hyphen : byte.hexDigit != nil else { return false }
    }
    return true
  }

  private static func isSlug(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous = UInt8.hyphen
    for byte in bytes {
      let isHyphen = byte == .hyphen
      guard isHyphen || (byte.isASCIIAlphanumeric && !(0x41...0x5A).contains(byte)) else {
        return false
      }
      if isHyphen && previous == .hyphen { return false }
      previous = byte
    }
    return previous != .hyphen
  }
}
