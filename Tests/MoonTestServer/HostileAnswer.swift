/// Answers that are rare, wrong or without end.
///
/// A ``TestServer`` sends each at the path `/hostile/` with its raw value.
package enum HostileAnswer: String, CaseIterable, Sendable {
  // Rare, but right: the text is `hello` unless the case says otherwise.
  case foldedHeader
  /// 3,000 times `a`.
  case deflate
  /// The same without the zlib header, as some servers send it.
  case bareDeflate
  /// The same by gzip, in one chunk for each byte.
  case gzipInChunks
  case chunkExtension
  case trailer
  case endedByClose
  case bareLineEnds
  case oldVersion
  case emptyReason
  case twoEqualLengths
  case continueFirst
  case earlyHints
  case manyHints
  case slowHead
  case slowBody
  /// It is sent before the body of the request is read.
  case early

  // Compressed, and wrong.
  /// It doesn't end: each 51 bytes are 30,000 times `a`.
  case gzipBomb
  case deflateBomb
  case cutGzip
  case badGzipSum
  case noGzip
  case twoGzips
  case unknownCoding
  case codingTwice

  // Without end.
  case endlessHead
  case endlessHeaders
  case endlessStatusLine
  case endlessContinue
  case endlessBody
  case endlessChunkLine
  case endlessTrailers
  case stalledHead
  case stalledBody

  // Wrong heads.
  case status000 = "status-000"
  case status099 = "status-099"
  case status600 = "status-600"
  case status999 = "status-999"
  case status1000 = "status-1000"
  case statusOfLetters
  case noStatus
  case unknownVersion
  case noVersion
  case switchingUnasked
  case headerWithoutColon
  case headerWithoutName
  case spaceBeforeColon
  case nulInHeader
  case strayReturn
  case notUTF8Header
  case cutHead
  case nothing
  case reset

  // Wrong bodies.
  case twoLengths
  case lengthWithChunks
  case negativeLength
  case hugeLength
  case lengthOfLetters
  case tooShort
  case tooLong
  case chunkSizeOfLetters
  case hugeChunkSize
  case negativeChunkSize
  case chunkLongerThanSize
  case cutChunk
  case noLastChunk
  case bodyOfNoContent
  case secondAnswer
  case resetInBody

  /// What is sent.
  package var answer: RawAnswer {
    rareAnswer ?? compressedAnswer ?? endlessAnswer ?? wrongHead ?? wrongBody
  }
}

// Each property has the answers of one of the groups above.
extension HostileAnswer {
  private static let ok = "HTTP/1.1 200 OK\n"
  private static let whole = ok + "content-length: 5\n\nhello"
  private static let inChunks = ok + "transfer-encoding: chunked\n\n"

  private var rareAnswer: RawAnswer? {
    let (ok, whole, inChunks) = (Self.ok, Self.whole, Self.inChunks)
    return switch self {
    case .foldedHeader:
      RawAnswer(ok + "x-folded: one\n  two\n\tthree\ncontent-length: 5\n\nhello", ending: .open)
    case .deflate: Compressed.answer("deflate", Compressed.zlib)
    case .bareDeflate: Compressed.answer("deflate", Compressed.deflated)
    case .gzipInChunks:
      RawAnswer(
        Array(
          "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n".utf8)
          + Compressed.gzip.flatMap { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) }
          + Array("0\r\n\r\n".utf8), ending: .open)
    case .chunkExtension: RawAnswer(inChunks + "5;a=b;c=\"d\"\nhello\n0;e\n\n", ending: .open)
    case .trailer: RawAnswer(inChunks + "5\nhello\n0\nx-trailer: late\n\n", ending: .open)
    case .endedByClose: RawAnswer(ok + "\nhello")
    case .bareLineEnds:
      RawAnswer(Array("HTTP/1.1 200 OK\ncontent-length: 5\n\nhello".utf8), ending: .open)
    case .oldVersion: RawAnswer("HTTP/1.0 200 OK\ncontent-length: 5\n\nhello")
    case .emptyReason: RawAnswer("HTTP/1.1 200\ncontent-length: 5\n\nhello", ending: .open)
    case .twoEqualLengths:
      RawAnswer(ok + "content-length: 5\ncontent-length: 5\n\nhello", ending: .open)
    case .continueFirst: RawAnswer("HTTP/1.1 100 Continue\n\n" + whole, ending: .open)
    case .earlyHints:
      RawAnswer("HTTP/1.1 103 Early Hints\nlink: </x>\n\n" + whole, ending: .open)
    case .manyHints:
      RawAnswer(
        String(repeating: "HTTP/1.1 103 Early Hints\nx-hint: 1\n\n", count: 50) + whole,
        ending: .open)
    case .slowHead: RawAnswer(whole, pause: .milliseconds(2), ending: .open)
    case .slowBody:
      RawAnswer(
        ok + "content-length: 50\n\n" + String(repeating: "x", count: 50), pause: .milliseconds(2),
        ending: .open)
    case .early:
      RawAnswer(ok + "connection: close\ncontent-length: 5\n\nhello", moment: .afterHead)
    default: nil
    }
  }

  private var compressedAnswer: RawAnswer? {
    let gzip = Compressed.gzip
    return switch self {
    case .gzipBomb: Compressed.bomb("gzip", Array(gzip.prefix(Compressed.gzipHeadCount)))
    case .deflateBomb: Compressed.bomb("deflate", Array(Compressed.zlib.prefix(2)))
    case .cutGzip: Compressed.answer("gzip", gzip.dropLast(12))
    case .badGzipSum:
      Compressed.answer("gzip", gzip.dropLast(8) + [0, 0, 0, 0] + gzip.suffix(4))
    case .twoGzips: Compressed.answer("gzip", gzip + gzip)
    case .noGzip: Compressed.answer("gzip", Array("hello".utf8))
    case .unknownCoding: Compressed.answer("x-unknown", Array("hello".utf8))
    case .codingTwice: Compressed.answer("gzip, gzip", gzip)
    default: nil
    }
  }

  private var endlessAnswer: RawAnswer? {
    let (ok, inChunks) = (Self.ok, Self.inChunks)
    let line = String(repeating: "x", count: 4_000)
    return switch self {
    case .endlessHead: RawAnswer(ok + "x-long: ", repeating: line)
    case .endlessHeaders: RawAnswer(ok, repeating: String(repeating: "x-one: more\n", count: 400))
    case .endlessStatusLine: RawAnswer("HTTP/1.1 200 ", repeating: line)
    case .endlessContinue:
      RawAnswer("", repeating: String(repeating: "HTTP/1.1 100 Continue\n\n", count: 100))
    case .endlessBody: RawAnswer(ok + "\n", repeating: line)
    case .endlessChunkLine: RawAnswer(inChunks + "5;x=", repeating: line)
    case .endlessTrailers:
      RawAnswer(
        inChunks + "5\nhello\n0\n", repeating: String(repeating: "x-one: more\n", count: 400))
    case .stalledHead: RawAnswer(ok + "x-head: beg", ending: .open)
    case .stalledBody: RawAnswer(ok + "content-length: 5\n\nhel", ending: .open)
    default: nil
    }
  }

  private var wrongHead: RawAnswer? {
    let (ok, rest) = (Self.ok, "content-length: 5\n\nhello")
    return switch self {
    case .status000, .status099, .status600, .status999, .status1000:
      RawAnswer("HTTP/1.1 \(rawValue.dropFirst(7)) Odd\n" + rest)
    case .statusOfLetters: RawAnswer("HTTP/1.1 2OO OK\n" + rest)
    case .noStatus: RawAnswer("HTTP/1.1\n" + rest)
    case .unknownVersion: RawAnswer("HTTP/7.3 200 OK\n" + rest)
    case .noVersion: RawAnswer("hello")
    case .switchingUnasked:
      RawAnswer("HTTP/1.1 101 Switching Protocols\nupgrade: x\nconnection: upgrade\n\nhello")
    case .headerWithoutColon: RawAnswer(ok + "no colon here\n" + rest)
    case .headerWithoutName: RawAnswer(ok + ": value\n" + rest)
    case .spaceBeforeColon: RawAnswer(ok + "x-one : 1\n" + rest)
    case .nulInHeader: RawAnswer(ok + "x-one: a\0b\n" + rest)
    case .strayReturn: RawAnswer(ok + "x-one: a\rx-two: b\n" + rest)
    case .notUTF8Header:
      RawAnswer(
        Array("HTTP/1.1 200 OK\r\nx-one: ".utf8) + [0xE9, 0xFF]
          + Array("\r\ncontent-length: 5\r\n\r\nhello".utf8))
    case .cutHead: RawAnswer(ok + "x-head: beg")
    case .nothing: RawAnswer("")
    case .reset: RawAnswer("", ending: .reset)
    default: nil
    }
  }

  private var wrongBody: RawAnswer {
    let (ok, whole, inChunks) = (Self.ok, Self.whole, Self.inChunks)
    return switch self {
    case .twoLengths: RawAnswer(ok + "content-length: 5\ncontent-length: 6\n\nhello!")
    case .lengthWithChunks:
      RawAnswer(ok + "content-length: 3\ntransfer-encoding: chunked\n\n5\nhello\n0\n\n")
    case .negativeLength: RawAnswer(ok + "content-length: -5\n\nhello")
    case .hugeLength: RawAnswer(ok + "content-length: 99999999999999999999\n\nhello")
    case .lengthOfLetters: RawAnswer(ok + "content-length: five\n\nhello")
    case .tooShort: RawAnswer(ok + "content-length: 6\n\nhello")
    case .tooLong: RawAnswer(whole + " and more")
    case .chunkSizeOfLetters: RawAnswer(inChunks + "size\nhello\n0\n\n")
    case .hugeChunkSize: RawAnswer(inChunks + "fffffffffffffffff\nhello\n0\n\n")
    case .negativeChunkSize: RawAnswer(inChunks + "-5\nhello\n0\n\n")
    case .chunkLongerThanSize: RawAnswer(inChunks + "3\nhello\n0\n\n")
    case .cutChunk: RawAnswer(inChunks + "9\nhello")
    case .noLastChunk: RawAnswer(inChunks + "5\nhello\n")
    case .bodyOfNoContent: RawAnswer("HTTP/1.1 204 No Content\ncontent-length: 5\n\nhello")
    case .secondAnswer:
      RawAnswer(whole + "HTTP/1.1 200 OK\ncontent-length: 6\n\nforged", ending: .open)
    default: RawAnswer(ok + "content-length: 100\n\nbegun", ending: .reset)
    }
  }
}
