import Moonwire

/// An open WebSocket (RFC 6455).
final class WebSocket: Sendable {
  /// The maximum size of a message in bytes, unless the script sets another.
  static let messageBytesMax = 1 << 20
  /// The largest maximum size that a script may set.
  static let messageBytesLimit = 16 << 20

  /// The line of the transfer that opened the connection, which identifies it on the thread.
  private let line: TransferLine
  private let mailbox: Mailbox<WebSocketMessage>
  private let inlet: HeldMemory.Inlet
  /// The subprotocol that the server chose.
  let subprotocol: String?

  init(_ line: TransferLine, _ opening: WebSocketOpening, subprotocol: String?) {
    self.line = line
    mailbox = opening.mailbox
    inlet = opening.inlet
    self.subprotocol = subprotocol
  }

  deinit { line.cancel() }

  /// Sends a message, and returns when the system has taken it.
  ///
  /// A message that is cancelled before its first byte isn't sent at all.
  ///
  /// - Throws: ``HTTPFailure/socketClosed(code:reason:)``, `ServiceRefusal`, `CancellationError`.
  func send(
    _ bytes: [UInt8], as opcode: WebSocketFrames.Opcode, in memory: HeldMemory
  ) async throws {
    let share = try memory.hold(bytes.count)
    let message = OutgoingMessage()
    let isSent = try await withTaskCancellationHandler {
      try Task.checkCancellation()
      return await withCheckedContinuation { continuation in
        let isAsked = line.onWebSocket {
          if let connection = $0 {
            connection.send(bytes, as: opcode, message, holding: share, continuation)
          } else {
            continuation.resume(returning: false)
          }
        }
        if !isAsked { continuation.resume(returning: false) }
      }
    } onCancel: {
      line.onWebSocket { $0?.abandon(message) }
    }
    try Task.checkCancellation()
    if !isSent { throw mailbox.failure ?? HTTPFailure.socketClosed(code: nil, reason: "") }
  }

  /// Waits for the next message; nil if the server closed the connection as agreed.
  ///
  /// - Throws: ``HTTPFailure/socketClosed(code:reason:)``, `CancellationError`.
  func next() async throws -> WebSocketMessage? {
    let (message, hasRoomAgain) = try await inlet.awaiting { try await mailbox.next() }
    if hasRoomAgain { line.onWebSocket { $0?.read() } }
    return message
  }

  /// Closes the connection with a handshake.
  func close() async {
    // The server's part of it may be behind messages that nobody reads any more.
    mailbox.discard()
    await withCheckedContinuation { continuation in
      let isAsked = line.onWebSocket {
        if let connection = $0 {
          connection.close(continuation)
        } else {
          continuation.resume()
        }
      }
      if !isAsked { continuation.resume() }
    }
  }

  /// The declaration for scripts.
  static let handle = ServiceHandle<WebSocket>(
    "socket", "A connection for messages in both directions.",
    methods: [
      .asynchronous(
        "send", "Sends a message.", .bytes("message"),
        .option(.boolean("binary", "As bytes instead of text"), or: false)
      ) { call, socket, message, isBinary in
        guard isBinary || String(validating: message, as: UTF8.self) != nil else {
          throw ArgumentProblem.notUTF8("message")
        }
        try await socket.send(message, as: isBinary ? .binary : .text, in: call.memory)
        return .nothing
      },
      .asynchronous(
        "next", "Waits for the next message, and says whether it is binary; nil at the end.",
        returns: "string, boolean"
      ) { _, socket in
        guard let message = try await socket.next() else { return .nothing }
        return .several([.bytes(message.bytes), .boolean(message.isBinary)])
          .held(by: message.share)
      },
      .immediate("protocol", "Returns the subprotocol that was agreed on.", returns: "string?") {
        _, socket in .string(socket.subprotocol)
      },
    ],
    closing: { await $0.close() })
}

extension HTTPNetwork {
  /// Opens a WebSocket at the first address of its host that accepts a connection.
  ///
  /// - Throws: ``HTTPFailure``, `GrantRefusal`, `CancellationError`.
  func webSocket(
    _ opening: WebSocketOpening, within seconds: Double, for call: ServiceCall
  ) async throws -> WebSocket {
    let address = opening.address
    let limit = HTTPFailure.timedOut(address.place, .answering(seconds: seconds))
    let lane = lane(of: call.module)
    return try await lane.limits.limit(to: seconds, orThrow: limit) {
      let addresses = try await self.addresses(of: address, for: call)
      let transfer = Transfer(opening.request, at: addresses, alone: true, for: call)
      let line = TransferLine(transfer: transfer, thread: lane.thread)
      var opening = opening
      opening.goOn = { share in line.onWebSocket { $0?.goOn(holding: share) } }
      do {
        let agreement = try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { line.start(to: .webSocket(opening, $0)) }
        } onCancel: {
          line.cancel()
        }
        return WebSocket(line, opening, subprotocol: agreement.subprotocol)
      } catch let failure as Transfer.Failure {
        self.forget(address)
        switch failure {
        case .failed(let reason), .unanswered(let reason): throw reason
        case .refused(let refusal): throw refusal
        case .cancelled: throw CancellationError()
        }
      }
    }
  }
}
