/// Compressed bodies of answers.
enum Compressed {
  /// The number of bytes of a gzip head without a name.
  static let gzipHeadCount = 10
  private static let gzipTailCount = 8

  /// 3,000 times `a`, compressed by `gzip -9n`.
  static let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1,
    0x31, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xa0, 0xac, 0xeb, 0x5f, 0xc2, 0x1a,
    0x1e, 0x40, 0x01, 0x00, 0x00, 0xef, 0x06, 0xc8, 0x3c, 0xdc, 0x5e, 0xb8,
    0x0b, 0x00, 0x00,
  ]

  /// The same without head and tail.
  static let deflated = Array(gzip.dropFirst(gzipHeadCount).dropLast(gzipTailCount))

  /// The same in the format of zlib, which `deflate` means in HTTP.
  static let zlib = [0x78, 0xda] + deflated + [0x40, 0xac, 0x70, 0xf5]

  /// 30,000 times `a`, deflated, and at its end in the state of the beginning: it can be repeated.
  private static let block: [UInt8] =
    [
      0xec, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xa0, 0xac, 0xeb, 0x5f, 0xc2, 0x12, 0x9e,
      0x40, 0x01,
    ] + [UInt8](repeating: 0, count: 28) + [0x7c, 0x0c, 0x00, 0x00, 0xff, 0xff]

  /// An answer with a whole body.
  static func answer(_ coding: String, _ body: [UInt8]) -> RawAnswer {
    RawAnswer(head(coding, "content-length: \(body.count)\r\n") + body, ending: .open)
  }

  /// An answer whose body doesn't end and is 590 times as large as it comes.
  static func bomb(_ coding: String, _ start: [UInt8]) -> RawAnswer {
    RawAnswer(
      head(coding, "") + start,
      repeating: (0..<1_000).flatMap { _ in block })
  }

  private static func head(_ coding: String, _ more: String) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\ncontent-encoding: \(coding)\r\n\(more)\r\n".utf8)
  }
}
