// The numbers of a JSON text.

extension ValueParser {
  mutating func parseNumber() throws(ParseError) -> Value {
    let start = offset
    var number = Decimal()
    if bytes[offset] == UInt8(ascii: "-") {
      number.isNegative = true
      offset &+= 1
    }
    let integerStart = offset
    try parseDigits(into: &number, start)
    if bytes[integerStart] == UInt8(ascii: "0"), offset > integerStart &+ 1 {
      throw failure(.invalidNumber, at: start)
    }
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: ".") || isExponentSign(bytes[offset])
    else {
      if let integer = number.integer { return .int(integer) }
      return try parseDouble(from: start)
    }
    if bytes[offset] == UInt8(ascii: ".") {
      offset &+= 1
      let fractionStart = offset
      try parseDigits(into: &number, start)
      number.exponent = fractionStart &- offset
    }
    guard offset < bytes.count, isExponentSign(bytes[offset]) else {
      if let double = number.double { return .double(double) }
      return try parseDouble(from: start)
    }
    offset &+= 1
    if offset < bytes.count,
      bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-")
    {
      offset &+= 1
    }
    var ignored = Decimal()
    try parseDigits(into: &ignored, start)
    return try parseDouble(from: start)
  }

  private func isExponentSign(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "e") }

  /// Passes at least one digit.
  private mutating func parseDigits(
    into number: inout Decimal, _ start: Int
  ) throws(ParseError) {
    let first = offset
    var end = first
    while end < bytes.count {
      let digit = bytes[end] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      // Too many digits overflow, and are counted.
      number.digits = number.digits &* 10 &+ UInt64(digit)
      end &+= 1
    }
    offset = end
    number.digitCount &+= end &- first
    if end == first { throw failure(.invalidNumber, at: start) }
  }

  /// Makes a double of the number that begins at `start` and ends here.
  @inline(never)
  private func parseDouble(from start: Int) throws(ParseError) -> Value {
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    // The standard library reads everything that the grammar accepts, correctly rounded.
    guard let double = Double(text) else { throw failure(.invalidNumber, at: start) }
    return .double(double)
  }
}

/// A decimal number: digits, and the power of ten that they are multiplied by.
private struct Decimal {
  /// The number of digits that always fit 64 bits.
  private static let digitCountMax = 19
  /// The powers of ten that doubles represent exactly.
  private static let powers = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  var isNegative = false
  /// The digits as an integer, if there aren't more than ``digitCountMax``.
  var digits: UInt64 = 0
  var digitCount = 0
  /// The exponent of ten, which is zero or less.
  var exponent = 0

  /// The digits with the sign; nil if they don't fit 64 bits.
  var integer: Int64? {
    guard digitCount <= Self.digitCountMax else { return nil }
    if digits <= UInt64(Int64.max) {
      let integer = Int64(truncatingIfNeeded: digits)
      return isNegative ? 0 &- integer : integer
    }
    return isNegative && digits == Int64.min.magnitude ? .min : nil
  }

  /// The number, if one division of doubles gives it; nil otherwise.
  ///
  /// If both are exact, the quotient is rounded correctly (Clinger, "How to read floating point
  /// numbers accurately", 1990).
  var double: Double? {
    guard digitCount <= Self.digitCountMax, digits <= 1 &<< 53, 0 &- exponent < Self.powers.count
    else { return nil }
    let magnitude = Double(digits) / Self.powers[0 &- exponent]
    return isNegative ? -magnitude : magnitude
  }
}
