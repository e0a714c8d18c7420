import NIOCore
import NIOWebSocket

/// The rules for a server's frames that the decoder leaves to the endpoints (RFC 6455 §5.1, §5.2).
///
/// Nothing passes after a frame that breaks one, since the connection has failed.
final class WebSocketFrameCheck: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  /// A frame that fails the connection.
  enum Fault: Error, Equatable {
    /// A frame is masked, which only a client's are.
    case masked
    /// A reserved bit is set; no extension was agreed upon that uses it.
    case reservedBit
    /// The opcode has no meaning.
    case unknownOpcode
  }

  private var hasFailed = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasFailed else { return }
    if let fault = Self.fault(of: unwrapInboundIn(data)) {
      hasFailed = true
      context.fireErrorCaught(fault)
    } else {
      context.fireChannelRead(data)
    }
  }

  private static func fault(of frame: WebSocketFrame) -> Fault? {
    if frame.rsv1 || frame.rsv2 || frame.rsv3 { return .reservedBit }
    if frame.maskKey != nil { return .masked }
    switch frame.opcode {
    case .continuation, .text, .binary, .connectionClose, .ping, .pong: return nil
    default: return .unknownOpcode
    }
  }
}

extension WebSocketFrameCheck.Fault: CustomStringConvertible {
  /// What the server has done.
  var description: String {
    switch self {
    case .masked: "it sent a masked frame"
    case .reservedBit: "it sent a frame with a reserved bit set"
    case .unknownOpcode: "it sent a frame of an unknown kind"
    }
  }
}
