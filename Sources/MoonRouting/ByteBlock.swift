/// Eight bytes of a URL in one word, checked at once.
///
/// The tests are those for zero and for limits in Bit Twiddling Hacks (Anderson, 2005). They give
/// marks, so that those of many blocks can be looked at together: that makes 4 instructions a byte
/// where the tests of single bytes take 13, and Swift's SIMD types 7.
struct ByteBlock {
  static let count = 8

  private static let ones: UInt64 = 0x0101_0101_0101_0101

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

  /// Whether marks, of one block or of several together, are set.
  @inline(__always)
  static func areSet(_ marks: UInt64) -> Bool { marks & (ones &* 0x80) != 0 }

  /// Marks for a byte that needs a check by itself, which are those beyond ASCII, control
  /// characters, and ``` "#%<>\^`{|}```.
  ///
  /// Some that need none are marked as well, such as `~`.
  @inline(__always) var unusual: UInt64 {
    let low = word &- Self.ones &* 0x26
    let high = (word &+ Self.ones &* (0x80 - 0x7B)) | word
    // Of the bytes whose lowest bits are 0x1C or 0x1E, none is usual: only for these, the sum
    // carries into bit 5, which is shifted to the top.
    let twins = ((word & (Self.ones &* 0x1D)) ^ Self.ones) &+ Self.ones &* 3
    return low | high | twins &<< 2 | Self.zeros(word, 0x60)
  }

  /// Marks for a `?`, if all bytes are ASCII.
  @inline(__always) var questions: UInt64 { Self.zeros(word, .question) }

  /// Marks for a `%`, `+` or `#`, if all bytes are ASCII.
  @inline(__always) var codes: UInt64 {
    Self.zeros(word, .percent) | Self.zeros(word, .plus) | Self.zeros(word, .hash)
  }

  /// Marks if a byte is `byte`, which is right for ASCII.
  @inline(__always)
  private static func zeros(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    (word ^ ones &* UInt64(byte)) &- ones
  }
}

/// What a look at all bytes of a URL tells of them.
struct URLBytes {
  /// Whether no byte needs a check by itself.
  let areUsual: Bool
  /// Whether there is a `?`; only if all are usual.
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
