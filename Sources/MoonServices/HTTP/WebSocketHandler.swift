import NIOCore
import NIOWebSocket

/// The end of a WebSocket's pipeline: it answers pings and the closing handshake, and puts messages
/// into the mailbox.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The reason of an end without a closing handshake.
  static let lossReason = "the connection was lost"

  private let mailbox: WebSocketMailbox
  private var hasSentClose = false

  init(_ mailbox: WebSocketMailbox) {
    self.mailbox = mailbox
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text, .binary: take(frame, context)
    case .ping: send(.pong, frame.unmaskedData, context)
    case .connectionClose: answerClose(frame, context)
    default: return
    }
  }

  /// Reads on only while the mailbox has room.
  func read(context: ChannelHandlerContext) {
    if mailbox.askForRoom() { context.read() }
  }

  func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    let frame = unwrapOutboundIn(data)
    if frame.opcode == .connectionClose {
      guard !hasSentClose else {
        promise?.succeed()
        return
      }
      hasSentClose = true
    }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    mailbox.end(hasSentClose ? nil : .socketClosed(code: 1006, reason: Self.lossReason))
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let code: WebSocketErrorCode
    switch error {
    case NIOWebSocketError.invalidFrameLength,
      NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
      NIOWebSocketFrameAggregator.Error.tooManyFragments:
      code = .messageTooLarge
      mailbox.end(.socketClosed(code: 1009, reason: "a message is larger than max_bytes"))
    case let fault as WebSocketFrameCheck.Fault:
      code = .protocolError
      mailbox.end(.socketClosed(code: 1002, reason: "the server broke the protocol: \(fault)"))
    case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error:
      code = .protocolError
      mailbox.end(.socketClosed(code: 1002, reason: "the server broke the protocol"))
    default:
      code = .goingAway
      mailbox.end(.socketClosed(code: 1006, reason: "the connection was lost"))
    }
    leave(code, context)
  }

  private func take(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    let bytes = Array(frame.unmaskedData.readableBytesView)
    let isBinary = frame.opcode == .binary
    guard isBinary || String(validating: bytes, as: UTF8.self) != nil else {
      mailbox.end(.socketClosed(code: 1007, reason: "the server sent a text that isn't UTF-8"))
      leave(.dataInconsistentWithMessage, context)
      return
    }
    mailbox.add(WebSocketMailbox.Message(bytes: bytes, isBinary: isBinary))
  }

  private func answerClose(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    var data = frame.unmaskedData
    let code = data.readWebSocketErrorCode()
    let number = code.map { Int(UInt16(webSocketErrorCode: $0)) }
    let isExpected = number == nil || [1000, 1001].contains(number)
    let reason = data.readString(length: data.readableBytes) ?? ""
    mailbox.end(isExpected ? nil : .socketClosed(code: number, reason: reason))
    leave(code ?? .normalClosure, context)
  }

  /// Sends the own part of the closing handshake if it isn't sent, and closes the connection.
  private func leave(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
    if !hasSentClose {
      hasSentClose = true
      var data = ByteBuffer()
      data.write(webSocketErrorCode: code)
      send(.connectionClose, data, context)
    }
    context.close(promise: nil)
  }

  private func send(
    _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }
}
