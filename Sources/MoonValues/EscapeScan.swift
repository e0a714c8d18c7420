/// Finds bytes that canonical text escapes, eight at a time.
enum EscapeScan {
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
  static func areSet(_ marks: UInt64) -> Bool { marks & (ones &* 0x80) != 0 }

  /// The number of bytes before the first marked one, of a word that was loaded in the order of
  /// memory; 8 if no mark is set.
  static func countBeforeMark(_ marks: UInt64) -> Int {
    // Marks that aren't exact come after one that is.
    (marks & (ones &* 0x80)).trailingZeroBitCount &>> 3
  }

  /// The number of bytes from `start` on that aren't escaped.
  static func plainCount(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    while bytes.count &- index >= 8 {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let count = countBeforeMark(marks(word))
      index &+= count
      if count < 8 { return index &- start }
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      index &+= 1
    }
    return index &- start
  }

  /// Whether any byte of a small text is one of those.
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
