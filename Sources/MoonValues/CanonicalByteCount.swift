// The sizes of the parts of a canonical text, computed without writing them; see
// CanonicalText.swift.

extension CanonicalText {
  /// The bytes of an integer's decimal digits and sign.
  @inline(__always)
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
    // The size of a short whole number can be computed without writing it.
    if let integer = Int64(exactly: double), integer != 0, integer.magnitude < 1_000_000_000_000_000
    {
      return byteCount(of: integer) + 2
    }
    var bytes: [UInt8] = []
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
  @inline(__always)
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
  @inline(__always)
  func byteCount(at index: Int) -> Int {
    let entry = words[index]
    // Among small texts, only those with a leading bracket or a character to escape need a closer
    // look.
    if index >= intCount, !entry.isLarge, entry.high >> 56 != UInt64(UInt8(ascii: "[")),
      !EscapeScan.isFound(inPacked: entry.high, entry.low)
    {
      return Int(entry.low & 0xFF) &+ 3
    }
    return CanonicalText.byteCount(of: key(at: index))
  }
}

/// Finds bytes that canonical text escapes, eight at a time.
private enum EscapeScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Marks for ``areSet(_:)`` if any of eight bytes is a quote, a backslash or below U+0020.
  ///
  /// "Determine if a word has a byte less than n", Anderson's Bit Twiddling Hacks: exact for the
  /// word as a whole.
  @inline(__always)
  static func marks(_ word: UInt64) -> UInt64 {
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    return ((word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones)) & ~word
  }

  /// Whether marks, of one word or of several together, are set.
  @inline(__always)
  static func areSet(_ marks: UInt64) -> Bool { marks & (ones &* 0x80) != 0 }

  /// Whether any byte of a small text is one of those.
  @inline(__always)
  static func isFound(inPacked high: UInt64, _ low: UInt64) -> Bool {
    // Fills unused bytes, including that of the length, with spaces.
    let blanks = ones &* 0x20
    let count = low & 0xFF
    if count < 8 { return areSet(marks(high | blanks &>> (count &* 8))) }
    let rest = (low & ~0xFF) | blanks &>> ((count &- 8) &* 8)
    return areSet(marks(high) | marks(rest))
  }

  /// The number of bytes that the escapes add.
  @inline(never)
  static func extraByteCount(in bytes: UnsafeRawBufferPointer) -> Int {
    bytes.reduce(0) { $0 + extraByteCount($1) }
  }

  private static func extraByteCount(_ byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 1
    case 0..<0x20: 5
    default: 0
    }
  }
}
