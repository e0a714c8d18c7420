import Moonwire

/// A handle on a transfer and its thread, for the code that waits for it.
struct TransferLine: Sendable {
  let transfer: Transfer
  let thread: NetworkThread

  /// Begins the transfer.
  func start(to receiver: Transfer.Receiver) {
    let transfer = transfer
    let resources = HTTPFailure.noResources(transfer.request.address.place)
    let isStarted = thread.run { loop in
      if transfer.isCancelled { return receiver.fail(.cancelled) }
      guard let pool = loop.pool(of: transfer.call.module) else {
        return receiver.fail(.failed(resources))
      }
      pool.start(transfer, to: receiver)
    }
    if !isStarted { receiver.fail(.failed(resources)) }
  }

  /// Ends the transfer if it hasn't ended, even if it begins later.
  func cancel() {
    transfer.noteCancellation()
    onPool { $0?.cancel($1) }
  }

  /// Resumes the transfer after the receiver had no room.
  func resume() { onPool { $0?.resume($1) } }

  /// Runs a function with the WebSocket that the transfer opened; with nil after its end.
  ///
  /// Returns false if there is no thread; the function then doesn't run.
  @discardableResult
  func onWebSocket(_ body: @escaping @Sendable (WebSocketConnection?) -> Void) -> Bool {
    onPool { pool, transfer in body(pool?.webSocket(of: transfer)) }
  }

  @discardableResult
  private func onPool(
    _ body: @escaping @Sendable (ConnectionPool?, Transfer) -> Void
  ) -> Bool {
    let transfer = transfer
    return thread.run { loop in body(loop.openPool(of: transfer.call.module), transfer) }
  }
}
