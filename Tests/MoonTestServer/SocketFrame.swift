/// A frame of a WebSocket, as RFC 6455 lays it out.
struct SocketFrame {
  enum Opcode: UInt8 {
    case continuation = 0, text, binary, unknown, close = 8, ping, pong
  }

  /// The maximum number of bytes of a message that a server takes.
  static let bytesMax = 1 << 24

  var opcode: Opcode
  var payload: [UInt8]
  var isLast = true
  /// The second of the three reserved bits.
  var isReserved = false
  /// What masks the payload: a client must, a server must not.
  var mask: [UInt8]?

  init(_ opcode: Opcode, _ payload: [UInt8] = []) {
    (self.opcode, self.payload) = (opcode, payload)
  }

  init(_ opcode: Opcode, _ text: String) {
    self.init(opcode, Array(text.utf8))
  }

  /// The frame that ends a connection.
  static func close(code: UInt16, _ reason: String) -> SocketFrame {
    SocketFrame(
      .close, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + Array(reason.utf8))
  }

  var bytes: [UInt8] {
    let length = payload.count
    let masked: UInt8 = mask == nil ? 0 : 0x80
    var bytes = [(isLast ? 0x80 : 0) | (isReserved ? 0x20 : 0) | opcode.rawValue]
    switch length {
    case 0..<126: bytes.append(masked | UInt8(length))
    case 126..<65_536: bytes += [masked | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
    default:
      bytes.append(masked | 127)
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    }
    guard let mask else { return bytes + payload }
    return bytes + mask + Self.masked(payload, by: mask)
  }

  private static func masked(_ payload: [UInt8], by mask: [UInt8]) -> [UInt8] {
    payload.enumerated().map { $1 ^ mask[$0 % mask.count] }
  }
}

/// Frames of clients, read from a connection.
extension SocketFrame {
  /// - Throws: ``ConnectionEnd/malformed`` for what no client may send, such as unmasked frames.
  init(from connection: Connection) throws(ConnectionEnd) {
    let head = try connection.take(2)
    guard head[0] & 0x70 == 0, let opcode = Opcode(rawValue: head[0] & 0x0F), opcode != .unknown,
      head[1] & 0x80 != 0
    else { throw .malformed }
    var length = UInt64(head[1] & 0x7F)
    let isControl = opcode.rawValue >= 8
    if isControl, length > 125 || head[0] & 0x80 == 0 { throw .malformed }
    if length >= 126 {
      length = try connection.take(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard length <= Self.bytesMax else { throw .malformed }
    let mask = try connection.take(4)
    self.init(opcode, Self.masked(try connection.take(Int(length)), by: mask))
    isLast = head[0] & 0x80 != 0
  }
}
