import Moonwire
import Synchronization

/// A request to one place, as the thread of the network carries it out.
final class Transfer: Sendable {
  let request: OutgoingRequest
  let call: ServiceCall
  /// The addresses of the host; empty if the host is an address.
  let addresses: [SocketAddress]
  /// Whether no connection that was in use before may carry it.
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

  /// Whether nobody wants the answer any more, also if the transfer is still to begin.
  var isCancelled: Bool { cancellation.load(ordering: .relaxed) }

  /// Says that nobody wants the answer any more.
  func noteCancellation() { cancellation.store(true, ordering: .relaxed) }

  /// Who gets the answer.
  enum Receiver {
    /// The whole body is collected.
    case whole(CheckedContinuation<Answer, any Error>)
    /// The head comes first, then the parts of the body.
    case parts(CheckedContinuation<AnswerHead, any Error>, Mailbox<[UInt8]>)
    /// Nothing is sent; the connection becomes that of a WebSocket.
    case webSocket(WebSocketOpening, CheckedContinuation<WebSocketAgreement, any Error>)
  }

  /// A whole answer.
  struct Answer: Sendable {
    let head: AnswerHead
    let body: [UInt8]
  }

  /// The reason that a transfer has no answer.
  enum Failure: Error {
    case failed(HTTPFailure)
    /// The server has closed a connection that was in use before, and has sent nothing.
    case unanswered(HTTPFailure)
    /// The module may not reach the address.
    case refused(GrantRefusal)
    case cancelled
  }
}

extension Transfer.Receiver {
  /// Tells that there is no answer.
  func fail(_ failure: Transfer.Failure) {
    switch self {
    case .whole(let continuation): continuation.resume(throwing: failure)
    case .parts(let continuation, _): continuation.resume(throwing: failure)
    case .webSocket(_, let continuation): continuation.resume(throwing: failure)
    }
  }
}

extension Transfer.Failure {
  /// What a script is told; nil for a cancellation.
  var reason: HTTPFailure? {
    switch self {
    case .failed(let failure), .unanswered(let failure): failure
    case .refused, .cancelled: nil
    }
  }
}
