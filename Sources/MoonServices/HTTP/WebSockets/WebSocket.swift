import Moonwire

/// An open WebSocket (RFC 6455).
final class WebSocket: Sendable {
  /// The maximum size of a message unless the script says otherwise, in bytes.
  static let messageBytesMax = 1 << 20
  /// The greatest size that a script may ask for.
  static let messageBytesLimit = 16 << 20
  /// The number of messages that nobody has read after which nothing more is received.
  static let messageCountMax = 64
  /// The seconds that the server has for its part of the closing handshake.
  static let closeSecondsMax = 2

  /// A message.
  struct Message: Sendable {
    let bytes: [UInt8]
    let isBinary: Bool
  }

  /// What has opened the connection, which it is known by on the thread.
  private let transfer: Transfer
  private let thread: NetworkThread
  private let mailbox: Mailbox<Message>
  /// The subprotocol that the server has chosen.
  let subprotocol: String?

  init(
    _ transfer: Transfer, on thread: NetworkThread, _ mailbox: Mailbox<Message>,
    subprotocol: String?
  ) {
    self.transfer = transfer
    self.thread = thread
    self.mailbox = mailbox
    self.subprotocol = subprotocol
  }

  deinit { transfer.cancel(on: thread) }

  /// Sends a message, and returns when the system has taken it.
  ///
  /// A message that is cancelled before its first byte is sent isn't sent at all.
  ///
  /// - Throws: ``HTTPFailure/socketClosed(code:reason:)``, `CancellationError`.
  func send(_ bytes: [UInt8], as opcode: WebSocketFrames.Opcode) async throws {
    let message = OutgoingMessage()
    let isSent = try await withTaskCancellationHandler {
      try Task.checkCancellation()
      return await withCheckedContinuation { continuation in
        let isAsked = onConnection {
          if let connection = $0 {
            connection.send(bytes, as: opcode, message, continuation)
          } else {
            continuation.resume(returning: false)
          }
        }
        if !isAsked { continuation.resume(returning: false) }
      }
    } onCancel: {
      onConnection { $0?.abandon(message) }
    }
    try Task.checkCancellation()
    if !isSent { throw mailbox.failure ?? HTTPFailure.socketClosed(code: nil, reason: "") }
  }

  /// Waits for the next message; nil if the server has closed the connection as agreed.
  ///
  /// - Throws: ``HTTPFailure/socketClosed(code:reason:)``, `CancellationError`.
  func next() async throws -> Message? {
    let (message, hasRoomAgain) = try await mailbox.next()
    if hasRoomAgain { onConnection { $0?.read() } }
    return message
  }

  /// Closes the connection with a handshake.
  func close() async {
    // The server's part of it might be behind messages that nobody reads any more.
    mailbox.discard()
    await withCheckedContinuation { continuation in
      let isAsked = onConnection {
        if let connection = $0 {
          connection.close(continuation)
        } else {
          continuation.resume()
        }
      }
      if !isAsked { continuation.resume() }
    }
  }

  /// Runs a function with the connection, or nil after its end; returns false if there is no thread.
  @discardableResult
  private func onConnection(
    _ body: @escaping @Sendable (WebSocketConnection?) -> Void
  ) -> Bool {
    let transfer = transfer
    return thread.run { body($0.openPool(of: transfer.call.module)?.webSocket(of: transfer)) }
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
