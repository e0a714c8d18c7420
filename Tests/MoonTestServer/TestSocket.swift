import CSSL
import Foundation

/// The server's end of a WebSocket: it sends each message back, and does what some messages say.
struct TestSocket {
  private let connection: Connection
  private let request: TestRequest

  init(_ exchange: Exchange) {
    (connection, request) = (exchange.connection, exchange.request)
  }

  /// Agrees on the socket, as the path asks, and answers frames until one side leaves.
  ///
  /// `/socket/closed` closes with the handshake. With `hex=`, these bytes come with the handshake.
  /// With `without=`, it lacks the header of this name; `header=` gives one more, and `status=`
  /// another status.
  func run(_ path: String, _ fields: [String: String]) throws(ConnectionEnd) {
    var headers: [(name: String, value: String)] = [
      ("upgrade", "websocket"), ("connection", "upgrade"),
      ("sec-websocket-accept", Self.proof(of: request.header("sec-websocket-key") ?? "")),
    ]
    if let chosen = request.header("sec-websocket-protocol")?.split(separator: ",").last {
      headers.append(("sec-websocket-protocol", chosen.trimmingCharacters(in: .whitespaces)))
    }
    headers.removeAll { $0.name == fields["without"] }
    if let parts = fields["header"]?.split(separator: ":", maxSplits: 1), parts.count == 2 {
      headers.append((String(parts[0]), String(parts[1])))
    }
    let head = Exchange.head(fields["status"].flatMap { Int($0) } ?? 101, headers)
    let more = RawAnswer.bytes(fromHex: fields["hex"] ?? "") ?? []
    try connection.write(Array(head.utf8) + more)
    if path.hasPrefix("/socket/closed") { throw .closed }
    do throws(ConnectionEnd) {
      try converse()
    } catch {
      if error == .malformed { try send(.close(code: 1_002, "")) }
      throw .closed
    }
  }

  private func converse() throws(ConnectionEnd) {
    var message: SocketFrame?
    while true {
      let frame = try SocketFrame(from: connection)
      switch frame.opcode {
      case .ping: try send(SocketFrame(.pong, frame.payload))
      case .pong: try send(SocketFrame(.text, "alive"))
      case .close:
        try send(SocketFrame(.close, frame.payload))
        throw .closed
      case .text, .binary, .continuation, .unknown:
        guard (frame.opcode == .continuation) == (message != nil) else { throw .malformed }
        var whole = message ?? SocketFrame(frame.opcode)
        whole.payload += frame.payload
        guard whole.payload.count <= SocketFrame.bytesMax else { throw .malformed }
        message = frame.isLast ? nil : whole
        if frame.isLast { try answer(whole) }
      }
    }
  }

  private func answer(_ message: SocketFrame) throws(ConnectionEnd) {
    let text = String(decoding: message.payload, as: UTF8.self)
    if message.opcode == .binary { return try send(message) }
    switch text {
    case "ping": try send(SocketFrame(.ping, "p"))
    case "parts":
      var first = SocketFrame(.text, "one ")
      first.isLast = false
      try send(first, SocketFrame(.ping, "between"), SocketFrame(.continuation, "message"))
    // At once, so that the system has room for them, however late the client reads.
    case "many":
      try connection.write((1...500).flatMap { SocketFrame(.text, "\($0)").bytes })
    case "large": try send(SocketFrame(.text, String(repeating: "x", count: 2_000)))
    case "not text": try send(SocketFrame(.text, [0xFF]))
    case "masked":
      var frame = SocketFrame(.text)
      frame.mask = [1, 2, 3, 4]
      try send(frame)
    case "reserved", "reserved ping":
      var frame = SocketFrame(text == "reserved" ? .text : .ping)
      frame.isReserved = true
      try send(frame)
    case "unknown": try send(SocketFrame(.unknown))
    case "lose": throw .closed
    case "leave": try send(.close(code: 1_000, "as asked"))
    case "fail": try send(.close(code: 4_001, "as asked"))
    default: try sendBytes(of: text)
    }
  }

  /// Sends the bytes that follow `raw ` or `cut ` in a text, after which the latter closes; or the
  /// text itself.
  private func sendBytes(of text: String) throws(ConnectionEnd) {
    let words = text.split(separator: " ")
    guard words.count == 2, ["raw", "cut"].contains(words[0]),
      let bytes = RawAnswer.bytes(fromHex: String(words[1]))
    else { return try send(SocketFrame(.text, text)) }
    try connection.write(bytes)
    if words[0] == "cut" { throw .closed }
  }

  private func send(_ frames: SocketFrame...) throws(ConnectionEnd) {
    try connection.write(frames.flatMap(\.bytes))
  }

  /// Returns what proves that a server has read the key of a client.
  private static func proof(of key: String) -> String {
    let bytes = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var hash = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    SHA1(bytes, bytes.count, &hash)
    return Data(hash).base64EncodedString()
  }
}
