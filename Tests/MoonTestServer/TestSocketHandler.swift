import NIOCore
import NIOWebSocket

/// The server's end of a WebSocket: it sends each message back, and does what some messages say.
final class TestSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text:
      let text = String(decoding: frame.unmaskedData.readableBytesView, as: UTF8.self)
      act(on: text, context)
    case .binary: send(.binary, frame.unmaskedData, context)
    case .pong: send(.text, ByteBuffer(string: "alive"), context)
    case .connectionClose:
      send(.connectionClose, frame.unmaskedData, context)
      context.close(promise: nil)
    default: return
    }
  }

  private func act(on text: String, _ context: ChannelHandlerContext) {
    switch text {
    case "ping": send(.ping, ByteBuffer(string: "p"), context)
    case "parts":
      send(.text, ByteBuffer(string: "one "), context, isLast: false)
      send(.ping, ByteBuffer(string: "between"), context)
      send(.continuation, ByteBuffer(string: "message"), context)
    case "many":
      for number in 1...500 { send(.text, ByteBuffer(string: "\(number)"), context) }
    case "large": send(.text, ByteBuffer(repeating: 120, count: 2_000), context)
    case "not text": send(.text, ByteBuffer(bytes: [0xFF]), context)
    case "masked":
      send(
        WebSocketFrame(fin: true, opcode: .text, maskKey: [1, 2, 3, 4], data: ByteBuffer()), context
      )
    case "reserved", "reserved ping":
      let opcode: WebSocketOpcode = text == "reserved" ? .text : .ping
      send(WebSocketFrame(fin: true, rsv2: true, opcode: opcode, data: ByteBuffer()), context)
    case "unknown": send(WebSocketOpcode(encodedWebSocketOpcode: 3) ?? .text, ByteBuffer(), context)
    case "lose": context.close(promise: nil)
    case "leave", "fail":
      var data = ByteBuffer()
      data.write(webSocketErrorCode: text == "leave" ? .normalClosure : .unknown(4_001))
      data.writeString("as asked")
      send(.connectionClose, data, context)
    default: send(.text, ByteBuffer(string: text), context)
    }
  }

  private func send(
    _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext,
    isLast: Bool = true
  ) {
    send(WebSocketFrame(fin: isLast, opcode: opcode, data: data), context)
  }

  private func send(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }
}
