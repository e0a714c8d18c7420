/// Eight bytes of a URL in one word, checked at once.
///
/// The tests are those for zero and for limits in Bit Twiddling Hacks (Anderson, 2005). They return
/// marks, and those of many blocks can be tested together, which is faster than testing single
/// bytes or using Swift's SIMD types.
struct ByteBlock {
  static let count = 8

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  private let word: UInt64

  @inline(__always)
  init(_ word: UInt64) {
    self.word = word
  }

  /// The bytes at an offset of a URL; eight bytes must follow it.
  @inline(__always)
  init(_ url: UnsafeRawPointer, at offset: Int) {
    word = url.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// Returns whether marks, of one block or several, are set.
  @inline(__always)
  static func areSet(_ marks: UInt64) -> Bool { marks & (ones &* 0x80) != 0 }

  /// Marks for bytes that need a check of their own: those beyond ASCII, control characters, and
  /// ``` "#%<>\^`{|}```.
  ///
  /// Some that need none, such as `~`, are marked as well.
  @inline(__always) var unusual: UInt64 {
    let low = word &- Self.ones &* 0x26
    let high = (word &+ Self.ones &* (0x80 - 0x7B)) | word
    // Bytes whose lowest bits are 0x1C or 0x1E are all unusual. Only for these does the sum carry
    // into bit 5, which is shifted to the top.
    let twins = ((word & (Self.ones &* 0x1D)) ^ Self.ones) &+ Self.ones &* 3
    return low | high | twins &<< 2 | Self.zeros(word, 0x60)
  }

  /// Marks for a `?`, if all bytes are ASCII.
  @inline(__always) var questions: UInt64 { Self.zeros(word, .question) }

  /// Marks for a `%`, `+` or `#`, if all bytes are ASCII.
  @inline(__always) var codes: UInt64 {
    Self.zeros(word, .percent) | Self.zeros(word, .plus) | Self.zeros(word, .hash)
  }

  /// Returns marks for bytes equal to `byte`, which are right for ASCII.
  @inline(__always)
  private static func zeros(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    (word ^ ones &* UInt64(byte)) &- ones
  }
}

/// The result of testing all bytes of a URL at once.
struct URLBytes {
  /// Whether no byte needs a check of its own.
  let areUsual: Bool
  /// Whether there is a `?`; valid only if all bytes are usual.
  let haveQuestion: Bool

  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var unusual: UInt64 = 0
    var questions: UInt64 = 0
    if let start = bytes.baseAddress, bytes.count >= ByteBlock.count {
      // The last block overlaps the one before it.
      let last = bytes.count &- ByteBlock.count
      var index = 0
      while index < bytes.count {
        let block = ByteBlock(start, at: min(index, last))
        unusual |= block.unusual
        questions |= block.questions
        index &+= ByteBlock.count
      }
    } else {
      let word = bytes.reduce(0x2F2F_2F2F_2F2F_2F2F as UInt64) {
        $0 &<< 8 | UInt64($1)
      }
      unusual = ByteBlock(word).unusual
      questions = ByteBlock(word).questions
    }
    areUsual = !ByteBlock.areSet(unusual)
    haveQuestion = ByteBlock.areSet(questions)
  }
}
