import Moonwire
import NIOCore
import NIOWebSocket

/// An open WebSocket (RFC 6455).
final class WebSocket: Sendable {
  /// The maximum size of a message unless the script says otherwise, in bytes.
  static let messageBytesMax = 1 << 20
  /// The greatest size that a script may ask for.
  static let messageBytesLimit = 16 << 20
  /// The seconds that the server has for its part of the closing handshake.
  static let closeSecondsMax = 2

  private let channel: any Channel
  private let mailbox: WebSocketMailbox
  /// The subprotocol that the server has chosen.
  let subprotocol: String?

  init(_ channel: any Channel, _ mailbox: WebSocketMailbox, subprotocol: String?) {
    self.channel = channel
    self.mailbox = mailbox
    self.subprotocol = subprotocol
  }

  deinit { channel.close(promise: nil) }

  /// Sends a message, and returns when the system has taken it.
  ///
  /// - Throws: ``HTTPFailure/socketClosed(code:reason:)``, `CancellationError`.
  func send(_ bytes: [UInt8], as opcode: WebSocketOpcode) async throws {
    let frame = WebSocketFrame(
      fin: true, opcode: opcode, maskKey: .random(), data: ByteBuffer(bytes: bytes))
    do {
      try await channel.writeAndFlush(frame).abandonable()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw mailbox.failure ?? HTTPFailure.socketClosed(code: nil, reason: "")
    }
  }

  /// Waits for the next message; nil if the server has closed the connection as agreed.
  ///
  /// - Throws: ``HTTPFailure/socketClosed(code:reason:)``, `CancellationError`.
  func next() async throws -> WebSocketMailbox.Message? {
    let (message, hasRoomAgain) = try await mailbox.next()
    if hasRoomAgain { channel.read() }
    return message
  }

  /// Closes the connection with a handshake.
  func close() async {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: .normalClosure)
    let frame = WebSocketFrame(
      fin: true, opcode: .connectionClose, maskKey: .random(), data: data)
    channel.writeAndFlush(frame, promise: nil)
    // The server's frame might be behind messages that nobody reads any more.
    mailbox.discard()
    channel.read()
    let timer = channel.eventLoop.scheduleTask(in: .seconds(Int64(Self.closeSecondsMax))) {
      [channel] in channel.close(promise: nil)
    }
    try? await channel.closeFuture.get()
    timer.cancel()
  }

  /// The declaration for scripts.
  static let handle = ServiceHandle<WebSocket>(
    "socket", "A connection for messages in both directions.",
    methods: [
      .asynchronous(
        "send", "Sends a message.", .bytes("message"),
        .option(.boolean("binary", "As bytes instead of text"), or: false)
      ) { _, socket, message, isBinary in
        guard isBinary || String(validating: message, as: UTF8.self) != nil else {
          throw ArgumentProblem.notUTF8("message")
        }
        try await socket.send(message, as: isBinary ? .binary : .text)
        return .nothing
      },
      .asynchronous(
        "next", "Waits for the next message, and says whether it is binary; nil at the end.",
        returns: "string, boolean"
      ) { _, socket in
        guard let message = try await socket.next() else { return .nothing }
        return .several([.bytes(message.bytes), .boolean(message.isBinary)])
      },
      .immediate("protocol", "Returns the subprotocol that was agreed on.", returns: "string?") {
        _, socket in .string(socket.subprotocol)
      },
    ],
    closing: { await $0.close() })
}
