/// The bytes of an answer, however wrong they are, and how they are sent.
package struct RawAnswer: Sendable {
  /// When the first byte is sent.
  package enum Moment: Sendable {
    case afterRequest
    /// Before the body of the request is read.
    case afterHead
    /// Before anything is read; only with ``withTestServer(tls:answering:_:)-(_,RawAnswer,_)``.
    case atOnce
  }

  /// What becomes of the connection after the last byte.
  package enum Ending: Sendable {
    case closed
    /// It stays until the client leaves or sends another request.
    case open
    /// It ends with an error of the client's system.
    case reset
  }

  package var bytes: [UInt8]
  /// The bytes that are sent after them again and again, until the client leaves.
  package var repeated: [UInt8] = []
  /// The time after each byte, each of which is written alone; nil if all are written at once.
  package var pause: Duration?
  package var moment: Moment
  package var ending: Ending

  package init(
    _ bytes: [UInt8], repeating repeated: [UInt8] = [], pause: Duration? = nil,
    moment: Moment = .afterRequest, ending: Ending = .closed
  ) {
    (self.bytes, self.repeated, self.pause) = (bytes, repeated, pause)
    (self.moment, self.ending) = (moment, ending)
  }

  /// Every end of a line in the text becomes one of HTTP.
  package init(
    _ text: String, repeating repeated: String = "", pause: Duration? = nil,
    moment: Moment = .afterRequest, ending: Ending = .closed
  ) {
    self.init(
      Array(text.replacing("\n", with: "\r\n").utf8),
      repeating: Array(repeated.replacing("\n", with: "\r\n").utf8), pause: pause, moment: moment,
      ending: ending)
  }

  func send(over connection: Connection) throws(ConnectionEnd) {
    try write(bytes, to: connection)
    while !repeated.isEmpty { try write(repeated, to: connection) }
    let isEarly = moment != .afterRequest
    switch ending {
    case .open: if moment == .atOnce { try connection.discard() }
    case .closed:
      if isEarly {
        // To close while the client sends would take the answer from it.
        connection.finish()
        try connection.discard()
      }
      throw .closed
    case .reset:
      connection.reset()
      throw .closed
    }
  }

  private func write(_ bytes: [UInt8], to connection: Connection) throws(ConnectionEnd) {
    guard let pause else { return try connection.write(bytes) }
    for byte in bytes {
      try connection.write([byte])
      if pause > .zero { try connection.pause(for: pause) }
    }
  }
}

extension RawAnswer {
  /// Reads bytes from hexadecimal digits; nil if they are none.
  static func bytes(fromHex text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
