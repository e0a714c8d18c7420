// The sizes of the parts of a canonical text, computed without writing them; see
// CanonicalText.swift.

extension CanonicalText {
  /// The bytes of an integer's decimal digits and sign.
  static func byteCount(of integer: Int64) -> Int {
    var digits = integer.magnitude
    var count = integer < 0 ? 1 : 0
    while digits >= 10_000 {
      digits /= 10_000
      count &+= 4
    }
    if digits < 100 { return count &+ (digits < 10 ? 1 : 2) }
    return count &+ (digits < 1000 ? 3 : 4)
  }

  /// The bytes of a double.
  static func byteCount(of double: Double) -> Int {
    // The size of a short number can be computed without writing it.
    if let integer = Int64(exactly: double), integer != 0, integer.magnitude < 1_000_000_000_000_000
    {
      return byteCount(of: integer) + 2
    }
    if let thousandths = Thousandths(double) { return thousandths.byteCount }
    var bytes = TextBytes(capacity: numberByteCountMax)
    write(double, into: &bytes)
    return bytes.count
  }

  /// The bytes of a key with its quotes and the colon after it.
  static func byteCount(of key: Key) -> Int {
    switch key {
    case .int(let integer): return byteCount(of: integer) + 5
    case .string(let text):
      let isBracketed = text.withUTF8 { BracketedKey.matches($0) }
      return text.canonicalByteCount + (isBracketed ? 2 : 1)
    }
  }

  /// The number of bytes that text takes within quotes.
  static func escapedByteCount(of text: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(text)
    let count = raw.count
    guard count >= 8, let base = raw.baseAddress else {
      return count &+ EscapeScan.extraByteCount(in: raw)
    }
    // The last eight bytes first, as the others may not be a multiple of eight.
    var marks = EscapeScan.marks(base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    var index = 0
    while index &+ 8 < count {
      marks |= EscapeScan.marks(base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index &+= 8
    }
    return EscapeScan.areSet(marks) ? count &+ EscapeScan.extraByteCount(in: raw) : count
  }
}

extension Text {
  /// The bytes of the text in quotes.
  ///
  /// O(1): a long text stores it.
  var canonicalByteCount: Int {
    switch storage {
    case .small(let high, let low):
      if EscapeScan.isFound(inPacked: high, low) {
        withUTF8 { CanonicalText.escapedByteCount(of: $0) } + 2
      } else {
        Int(low & 0xFF) &+ 2
      }
    case .large(let large): large.escapedByteCount &+ 2
    }
  }
}

extension KeyBlock {
  /// The bytes of a key with its quotes and the colon after it.
  func byteCount(at index: Int) -> Int {
    if let (_, low) = plainText(at: index) { return Int(low & 0xFF) &+ 3 }
    return CanonicalText.byteCount(of: key(at: index))
  }

  /// The words of a small text that is written as it is; nil for any other key.
  ///
  /// Among small texts, only those with a leading bracket or a character to escape need a closer
  /// look.
  func plainText(at index: Int) -> (UInt64, UInt64)? {
    let entry = words[index]
    guard index >= intCount, !entry.isLarge, entry.high >> 56 != UInt64(UInt8(ascii: "[")),
      !EscapeScan.isFound(inPacked: entry.high, entry.low)
    else { return nil }
    return (entry.high, entry.low)
  }
}
