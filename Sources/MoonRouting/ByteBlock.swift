/// Eight bytes of a URL in one word, checked at once, for the instructions of two or three by
/// themselves.
///
/// The tests are those for zero and for limits in Bit Twiddling Hacks (Anderson, 2005). They take a
/// tenth of the instructions of Swift's SIMD types, whose masks this compiler makes byte by byte.
struct ByteBlock {
  static let count = 8

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  private let word: UInt64

  @inline(__always)
  init(_ word: UInt64) {
    self.word = word
  }

  /// The bytes at an offset of a URL, of which there must be eight.
  @inline(__always)
  init(_ url: UnsafeRawPointer, at offset: Int) {
    word = url.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// False if a byte needs a check by itself, which are those beyond ASCII, control characters,
  /// and ``` "#%<>\^`{|}```.
  ///
  /// It is also false for some that need none, such as `~`.
  @inline(__always) var isOrdinary: Bool {
    let low = (word &- Self.ones &* 0x26) & ~word
    let high = (word &+ Self.ones &* (0x80 - 0x7B)) | word
    // One bit tells `<` from `>` and `\` from `^`.
    let folded = word & ~(Self.ones &* 2)
    let others = Self.zeros(folded, 0x3C) | Self.zeros(folded, 0x5C) | Self.zeros(word, 0x60)
    return (low | high | others) & Self.highBits == 0
  }

  /// False if a byte is a `%`, `+` or `#`.
  @inline(__always) var isPlain: Bool {
    let marks =
      Self.zeros(word, .percent) | Self.zeros(word, .plus) | Self.zeros(word, .hash)
    return marks & Self.highBits == 0
  }

  /// A word in which some high bit is set if a byte is a `?`, and none if none is.
  @inline(__always) var questions: UInt64 { Self.zeros(word, .question) & Self.highBits }

  /// A word in which some high bit is set if a byte is `byte`, and none if none is.
  @inline(__always)
  private static func zeros(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let different = word ^ ones &* UInt64(byte)
    return (different &- ones) & ~different
  }
}
