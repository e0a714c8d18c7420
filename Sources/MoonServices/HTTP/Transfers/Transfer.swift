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
  private let isCancelled = Atomic(false)

  init(
    _ request: OutgoingRequest, at addresses: [SocketAddress], alone isAlone: Bool,
    for call: ServiceCall
  ) {
    self.request = request
    self.addresses = addresses
    self.isAlone = isAlone
    self.call = call
  }

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

  /// Begins the transfer on a thread.
  func start(on thread: NetworkThread, to receiver: Receiver) {
    let isStarted = thread.run { loop in
      if self.isCancelled.load(ordering: .relaxed) { return receiver.fail(.cancelled) }
      guard let pool = loop.pool(of: self.call.module) else {
        return receiver.fail(.failed(.noResources(self.request.address.place)))
      }
      pool.start(self, to: receiver)
    }
    if !isStarted { receiver.fail(.failed(.noResources(request.address.place))) }
  }

  /// Ends the transfer if it hasn't ended, also one that begins later.
  func cancel(on thread: NetworkThread) {
    isCancelled.store(true, ordering: .relaxed)
    thread.run { loop in loop.openPool(of: self.call.module)?.cancel(self) }
  }

  /// Goes on after the receiver had no room for more.
  func resume(on thread: NetworkThread) {
    thread.run { loop in loop.openPool(of: self.call.module)?.resume(self) }
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
