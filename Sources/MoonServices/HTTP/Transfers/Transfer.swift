import Moonwire
import Synchronization

/// A request to one place, carried out by the network's thread.
final class Transfer: Sendable {
  let request: OutgoingRequest
  let call: ServiceCall
  /// The addresses of the host; empty if the host is an address.
  let addresses: [SocketAddress]
  /// Whether it needs a connection that hasn't been used before.
  let isAlone: Bool
  private let cancellation = Atomic(false)

  init(
    _ request: OutgoingRequest, at addresses: [SocketAddress], alone isAlone: Bool,
    for call: ServiceCall
  ) {
    self.request = request
    self.addresses = addresses
    self.isAlone = isAlone
    self.call = call
  }

  /// Whether nobody wants the answer any more, even if the transfer hasn't begun.
  var isCancelled: Bool { cancellation.load(ordering: .relaxed) }

  /// Notes that nobody wants the answer any more.
  func noteCancellation() { cancellation.store(true, ordering: .relaxed) }

  /// The receiver of the answer.
  enum Receiver {
    /// The whole body is collected.
    case whole(CheckedContinuation<(head: AnswerHead, body: WholeBody), any Error>)
    /// The head comes first, then the parts of the body.
    case parts(CheckedContinuation<AnswerHead, any Error>, Mailbox<[UInt8]>)
    /// Nothing is sent; the connection becomes that of a WebSocket.
    case webSocket(WebSocketOpening, CheckedContinuation<WebSocketAgreement, any Error>)
  }

  /// The reason that a transfer has no answer.
  enum Failure: Error {
    case failed(HTTPFailure)
    /// The server closed a connection that had been used before, and sent nothing.
    case unanswered(HTTPFailure)
    /// The module may not reach the address.
    case refused(GrantRefusal)
    case cancelled
  }
}

extension Transfer.Receiver {
  /// Tells the receiver that there is no answer.
  func fail(_ failure: Transfer.Failure) {
    switch self {
    case .whole(let continuation): continuation.resume(throwing: failure)
    case .parts(let continuation, _): continuation.resume(throwing: failure)
    case .webSocket(_, let continuation): continuation.resume(throwing: failure)
    }
  }
}

extension Transfer.Failure {
  /// The error for a script; nil for a cancellation.
  var reason: HTTPFailure? {
    switch self {
    case .failed(let failure), .unanswered(let failure): failure
    case .refused, .cancelled: nil
    }
  }
}
