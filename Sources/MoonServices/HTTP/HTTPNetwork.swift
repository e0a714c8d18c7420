import Moonwire
import Synchronization

/// The connections of one service, which sends requests where the grants allow it.
package final class HTTPNetwork: Sendable {
  /// The maximum size in bytes of what is encoded and decoded on the connections' thread.
  static let smallBytesMax = 16 << 10

  /// The maximum number of threads; more modules share them.
  static let laneCountMax = 64

  private let names: NameLookup
  private let trust: CertificateTrust
  private let lanes = Mutex<[ModuleName?: Lane]>([:])

  /// Makes a network; tests pass their own names and certificates.
  package init(
    resolving resolve: @escaping Resolver = NameLookup.system,
    trusting trust: CertificateTrust = .system
  ) {
    names = NameLookup(resolve)
    self.trust = trust
  }

  /// What the connections of one module have to themselves, so that a server that never stops
  /// sending keeps only its own module's thread.
  final class Lane: Sendable {
    /// The thread of the connections, which also runs the code of requests.
    let thread: NetworkThread
    let limits: TimeLimits

    init(trusting trust: CertificateTrust) {
      thread = NetworkThread(trusting: trust)
      limits = TimeLimits(on: thread)
    }
  }

  /// Returns the lane of a module.
  func lane(of module: ModuleName?) -> Lane {
    lanes.withLock { lanes in
      if let lane = lanes[module] { return lane }
      let others = lanes.values
      if others.count >= Self.laneCountMax {
        let index = abs(module.hashValue % others.count)
        return others[others.index(others.startIndex, offsetBy: index)]
      }
      let lane = Lane(trusting: trust)
      lanes[module] = lane
      return lane
    }
  }

  /// Returns the addresses of a name at a port, the preferred ones first.
  package typealias Resolver =
    @Sendable (_ host: String, _ port: Int) throws(HTTPFailure) -> [SocketAddress]

  /// The answer to a request.
  struct Reply<Body: Sendable>: Sendable {
    /// The address that answered, after all redirects.
    let address: WebAddress
    let head: AnswerHead
    let body: Body
    let limits: TimeLimits
  }

  /// A body that has been read.
  typealias Whole = WholeBody

  /// A body whose parts haven't been read.
  struct Parts: Sendable {
    fileprivate let line: TransferLine
    fileprivate let mailbox: Mailbox<[UInt8]>

    /// Returns the next part; nil at the end.
    ///
    /// - Throws: ``HTTPFailure``, `CancellationError`.
    func next() async throws -> [UInt8]? {
      let (part, hasRoomAgain) = try await mailbox.next()
      if hasRoomAgain { line.resume() }
      return part
    }

    /// Ends the connection unless the body has ended.
    func close() { line.cancel() }
  }

  /// The ways of carrying out a transfer and receiving its answer.
  struct Exchange<Body: Sendable>: Sendable {
    /// Throws ``Transfer/Failure``, and ``TimeLimits/Passed`` if there is no answer by the given
    /// time.
    let answer:
      nonisolated(nonsending) @Sendable (
        TransferLine, TimeLimits, _ end: ContinuousClock.Instant
      ) async throws -> (head: AnswerHead, body: Body)
    /// Ends whatever a redirecting answer has left open.
    let drop: @Sendable (Body) -> Void
  }

  /// Sends a request, follows redirects, and returns the answer.
  ///
  /// Each place is checked against the grants before anything is sent to it. All attempts are made
  /// in this one function, on its caller's executor, since waiting in another function and changing
  /// executors are slow.
  ///
  /// - Throws: ``HTTPFailure``, `GrantRefusal` for the first place, `CancellationError`.
  nonisolated(nonsending) func send<Body>(
    _ request: OutgoingRequest, by exchange: Exchange<Body>, for call: ServiceCall
  ) async throws -> Reply<Body> {
    let end = TimeLimits.end(after: request.limits.whole)
    let lane = lane(of: call.module)
    var attempts = RequestAttempts(request)
    do {
      while true {
        let addresses: [SocketAddress]
        if let known = try known(attempts, for: call) {
          addresses = known
        } else {
          addresses = try await lookUp(attempts, until: end, for: call)
        }
        let transfer = Transfer(
          attempts.request, at: addresses, alone: attempts.isRepeated, for: call)
        do {
          let (head, body) = try await exchange.answer(
            TransferLine(transfer: transfer, thread: lane.thread), lane.limits, end)
          if try attempts.follow(head) {
            exchange.drop(body)
            continue
          }
          return Reply(
            address: attempts.request.address, head: head, body: body, limits: lane.limits)
        } catch let failure as Transfer.Failure {
          if !addresses.isEmpty { forget(attempts.request.address) }
          try attempts.next(after: failure)
        }
      }
    } catch is TimeLimits.Passed {
      throw HTTPFailure.timedOut(
        request.address.place, .answering(seconds: request.limits.whole))
    }
  }

  /// Returns the addresses of the next place of a request; nil if they must be looked up.
  private func known(
    _ attempts: RequestAttempts, for call: ServiceCall
  ) throws -> [SocketAddress]? {
    do {
      return try known(attempts.request.address, for: call)
    } catch let refusal as GrantRefusal {
      throw attempts.failure(for: refusal)
    }
  }

  private func lookUp(
    _ attempts: RequestAttempts, until end: ContinuousClock.Instant, for call: ServiceCall
  ) async throws -> [SocketAddress] {
    let address = attempts.request.address
    do {
      return try await lane(of: call.module).limits.limit(until: end) {
        try await self.addresses(of: address, for: call)
      }
    } catch let refusal as GrantRefusal {
      throw attempts.failure(for: refusal)
    }
  }

  /// Returns the addresses of a host that the module may reach; none if the host is an address.
  ///
  /// - Throws: `GrantRefusal`; ``HTTPFailure/nameNotFound(_:)``; `CancellationError`.
  func addresses(
    of address: WebAddress, for call: ServiceCall
  ) async throws -> [SocketAddress] {
    if let known = try known(address, for: call) { return known }
    let found = try await names.lookUp(
      address.host, port: address.port, for: call.module, checking: call.require)
    return found.addresses
  }

  /// Returns the known addresses; nil if the host must be looked up.
  private func known(
    _ address: WebAddress, for call: ServiceCall
  ) throws -> [SocketAddress]? {
    guard let known = names.known(address.host, port: address.port) else { return nil }
    try call.require(known.scope)
    return known.addresses
  }

  /// Forgets the addresses of a host.
  func forget(_ address: WebAddress) { names.forget(address.host, port: address.port) }

  /// Ends all transfers and connections, including unread ones.
  func close() async {
    for lane in lanes.withLock({ Array($0.values) }) {
      await withCheckedContinuation { continuation in
        let isClosing = lane.thread.run { loop in
          loop.close()
          continuation.resume()
        }
        if !isClosing { continuation.resume() }
      }
    }
  }
}

extension HTTPNetwork.Exchange<HTTPNetwork.Parts> {
  /// The exchange that returns the answer when its head has arrived.
  static var inParts: Self {
    Self(
      answer: { line, limits, end in
        let mailbox = Mailbox<[UInt8]>(countMax: 1)
        let head = try await limits.limit(until: end) {
          line.cancel()
        } to: {
          try await withCheckedThrowingContinuation { line.start(to: .parts($0, mailbox)) }
        }
        return (head, HTTPNetwork.Parts(line: line, mailbox: mailbox))
      }, drop: { $0.close() })
  }
}

extension HTTPNetwork.Exchange<HTTPNetwork.Whole> {
  /// The exchange that returns the answer when it has ended.
  static var whole: Self {
    Self(
      answer: { line, limits, end in
        try await limits.limit(until: end) {
          line.cancel()
        } to: {
          try await withCheckedThrowingContinuation { line.start(to: .whole($0)) }
        }
      }, drop: { _ in })
  }
}
