import AsyncHTTPClient
import Moonwire
package import NIOCore
import NIOHTTP1
package import NIOSSL

/// The connections of one service: it sends requests where the grants allow it.
package final class HTTPNetwork: Sendable {
  /// The maximum size of what is encoded and decoded on the thread of the connections, in bytes.
  static let smallBytesMax = 16 << 10

  let trust: NIOSSLTrustRoots
  let limits: TimeLimits
  /// What runs the code of requests.
  let executor: LoopExecutor
  private let names: NameLookup
  private let clients: ClientPool

  /// Makes a network; tests pass names and certificates of their own.
  package init(
    resolving resolve: @escaping Resolver = NameLookup.system,
    trusting trust: NIOSSLTrustRoots = .default
  ) {
    self.trust = trust
    names = NameLookup(resolve)
    clients = ClientPool(trust: trust)
    executor = LoopExecutor()
    limits = TimeLimits(on: executor)
  }

  /// Returns the addresses of a name at a port, the preferred ones first.
  package typealias Resolver =
    @Sendable (_ host: String, _ port: Int) throws(HTTPFailure) -> [SocketAddress]

  /// The answer to a request.
  struct Reply<Body: Sendable>: Sendable {
    /// The address that answered, after all redirects.
    let address: WebAddress
    let head: HTTPResponseHead
    let body: Body
    let lease: ClientPool.Lease
    let limits: TimeLimits
  }

  /// A body of which the parts are still to be read.
  typealias Parts = HTTPClientResponse.Body
  /// A body that was read; a failure if that didn't succeed.
  typealias Whole = Result<ByteBuffer, any Error>

  /// How a client sends a request and receives the answer.
  struct Exchange<Body: Sendable>: Sendable {
    let isStreaming: Bool
    /// Throws ``TimeLimits/Passed`` if there is no answer at the given time.
    let answer:
      nonisolated(nonsending) @Sendable (
        OutgoingRequest, HTTPClient, TimeLimits, _ end: NIODeadline
      ) async throws -> Answer<Body>
  }

  /// The answer of a client.
  struct Answer<Body: Sendable>: Sendable {
    let head: HTTPResponseHead
    let body: Body
  }

  /// Sends a request, follows redirects, and returns the answer.
  ///
  /// Each place is checked against the grants before anything is sent there. All attempts are made
  /// in this one function, and it stays on the executor of its caller: a function that waits takes
  /// 500 instructions, and as many more to change its executor.
  ///
  /// - Throws: ``HTTPFailure``, `GrantRefusal` for the first place, `CancellationError`.
  nonisolated(nonsending) func send<Body>(
    _ request: OutgoingRequest, by exchange: Exchange<Body>, for call: ServiceCall
  ) async throws -> Reply<Body> {
    let end = TimeLimits.end(after: request.limits.whole)
    var attempts = RequestAttempts(request)
    do {
      while true {
        guard let address = attempts.address else {
          if let known = try known(attempts, for: call) {
            attempts.begin(known)
          } else {
            try await attempts.begin(lookUp(attempts, until: end, for: call))
          }
          continue
        }
        let key = ClientPool.Key(
          attempts, address, call.module, isStreaming: exchange.isStreaming)
        let lease = attempts.isRepeated ? clients.leaseAlone(key) : clients.lease(key)
        let answer: Answer<Body>
        do {
          answer = try await exchange.answer(attempts.request, lease.client, limits, end)
        } catch {
          try repeatOrThrow(&attempts, after: error, over: lease)
          continue
        }
        lease.noteAnswer()
        if try attempts.follow(answer.head) { continue }
        return Reply(
          address: attempts.request.address, head: answer.head, body: answer.body, lease: lease,
          limits: limits)
      }
    } catch is TimeLimits.Passed {
      throw HTTPFailure.timedOut(
        request.address.place, .answering(seconds: request.limits.whole))
    }
  }

  /// Returns the addresses of the next place of a request; nil if they must be looked up.
  private func known(
    _ attempts: RequestAttempts, for call: ServiceCall
  ) throws -> NameLookup.Found? {
    do {
      return try known(attempts.request.address, for: call)
    } catch let refusal as GrantRefusal {
      throw attempts.failure(for: refusal)
    }
  }

  private func lookUp(
    _ attempts: RequestAttempts, until end: NIODeadline, for call: ServiceCall
  ) async throws -> NameLookup.Found {
    let address = attempts.request.address
    do {
      return try await limits.limit(until: end) {
        try await self.addresses(of: address, for: call)
      }
    } catch let refusal as GrantRefusal {
      throw attempts.failure(for: refusal)
    }
  }

  /// Prepares the next attempt after an error.
  ///
  /// - Throws: The reason that there is none.
  private func repeatOrThrow(
    _ attempts: inout RequestAttempts, after error: any Error, over lease: ClientPool.Lease
  ) throws {
    switch try attempts.next(after: error, overUsedConnection: lease.mayUseAgain) {
    case .onNewConnection: clients.renew(lease)
    case .atNextAddress: break
    case .nowhere(let failure):
      forget(attempts.request.address)
      throw failure
    }
  }

  /// Returns the addresses of a host that the module may reach.
  ///
  /// - Throws: `GrantRefusal` if there is none; ``HTTPFailure/nameNotFound(_:)``;
  ///   `CancellationError`.
  func addresses(
    of address: WebAddress, for call: ServiceCall
  ) async throws -> NameLookup.Found {
    if let known = try known(address, for: call) { return known }
    let found = try await names.lookUp(address.host, port: address.port, checking: call.require)
    return try Self.permitted(found, of: address, for: call)
  }

  /// Returns the same; nil if the host must be looked up.
  private func known(
    _ address: WebAddress, for call: ServiceCall
  ) throws -> NameLookup.Found? {
    guard let known = names.known(address.host, port: address.port) else { return nil }
    try call.require(known.scope)
    return try Self.permitted(known, of: address, for: call)
  }

  private static func permitted(
    _ found: NameLookup.Found, of address: WebAddress, for call: ServiceCall
  ) throws -> NameLookup.Found {
    var refusal: GrantRefusal?
    let permitted = found.addresses.filter { address in
      guard let scope = address.scope else { return true }
      do throws(GrantRefusal) {
        try call.require(scope)
        return true
      } catch {
        refusal = refusal ?? error
        return false
      }
    }
    if permitted.isEmpty { throw refusal ?? HTTPFailure.nameNotFound(address.host) }
    return NameLookup.Found(scope: found.scope, isName: found.isName, addresses: permitted)
  }

  /// Forgets the addresses of a host.
  func forget(_ address: WebAddress) { names.forget(address.host, port: address.port) }

  /// Ends all connections.
  func close() async { await clients.close() }
}

extension HTTPNetwork.Exchange<HTTPNetwork.Parts> {
  /// Returns the answer when its head has arrived.
  static var inParts: Self {
    Self(isStreaming: true) { request, client, limits, end in
      let response = try await limits.limit(until: end) {
        try await client.execute(HTTPClientRequest(request), deadline: .distantFuture)
      }
      let head = HTTPResponseHead(
        version: response.version, status: response.status, headers: response.headers)
      return HTTPNetwork.Answer(head: head, body: response.body)
    }
  }
}

extension HTTPNetwork.Exchange<HTTPNetwork.Whole> {
  /// Returns the answer when it has ended.
  static var whole: Self {
    Self(isStreaming: false, answer: AnswerCollector.answer)
  }
}

extension HTTPClientRequest {
  fileprivate init(_ request: OutgoingRequest) {
    self.init(url: request.address.text)
    method = request.method
    headers = request.headers
    body = request.body.map { .bytes($0) }
  }
}
