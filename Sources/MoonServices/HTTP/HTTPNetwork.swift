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
    let answer:
      @Sendable (OutgoingRequest, HTTPClient) async throws -> (head: HTTPResponseHead, body: Body)
  }

  /// Sends a request, follows redirects, and returns the answer.
  ///
  /// Each place is checked against the grants before anything is sent there.
  ///
  /// - Throws: ``HTTPFailure``, `GrantRefusal` for the first place, `CancellationError`.
  func send<Body>(
    _ request: OutgoingRequest, by exchange: Exchange<Body>, for call: ServiceCall
  ) async throws -> Reply<Body> {
    var request = request
    var origins: [String] = []
    while true {
      let reply: Reply<Body>
      do {
        reply = try await self.reply(to: request, by: exchange, for: call)
      } catch let refusal as GrantRefusal {
        guard let origin = origins.last else { throw refusal }
        throw HTTPFailure.redirectRefused(from: origin, refusal)
      }
      let max = request.limits.redirectCountMax
      guard max > 0, let next = try Self.target(of: reply) else { return reply }
      origins.append(request.address.place)
      guard origins.count <= max else {
        throw HTTPFailure.tooManyRedirects(request.address.place, max: max)
      }
      request = request.redirected(to: next, status: reply.head.status)
    }
  }

  /// Returns the addresses of a host that the module may reach.
  ///
  /// - Throws: `GrantRefusal` if there is none; ``HTTPFailure/nameNotFound(_:)``;
  ///   `CancellationError`.
  func addresses(
    of address: WebAddress, for call: ServiceCall
  ) async throws -> NameLookup.Found {
    var found = try await names.addresses(
      of: address.host, port: address.port, checking: call.require)
    var refusal: GrantRefusal?
    found.addresses.removeAll { address in
      guard let scope = address.scope else { return false }
      do throws(GrantRefusal) {
        try call.require(scope)
        return false
      } catch {
        refusal = refusal ?? error
        return true
      }
    }
    if found.addresses.isEmpty { throw refusal ?? HTTPFailure.nameNotFound(address.host) }
    return found
  }

  /// Forgets the addresses of a host.
  func forget(_ address: WebAddress) { names.forget(address.host, port: address.port) }

  /// Ends all connections.
  func close() async { await clients.close() }

  /// Sends a request to the first address of its host that accepts a connection.
  private func reply<Body>(
    to request: OutgoingRequest, by exchange: Exchange<Body>, for call: ServiceCall
  ) async throws -> Reply<Body> {
    let address = request.address
    var failure = HTTPFailure.nameNotFound(address.host)
    let found = try await addresses(of: address, for: call)
    for place in found.addresses {
      let key = ClientPool.Key(
        module: call.module, host: address.host, address: found.isName ? place.text : nil,
        isSecure: address.scheme.isSecure, connectSeconds: request.limits.connect,
        readSeconds: request.limits.readWithinWhole,
        bytesMax: exchange.isStreaming ? 0 : request.limits.bytesMax,
        isStreaming: exchange.isStreaming)
      do {
        return try await reply(to: request, by: exchange, from: key)
      } catch {
        guard let known = HTTPFailure(error, at: address.place), !Task.isCancelled else {
          throw error
        }
        failure = known
        guard known.isBeforeSending else { break }
      }
    }
    forget(address)
    throw failure
  }

  /// Sends a request, once more if a connection that was in use before is lost without an answer.
  ///
  /// A server may close a connection at any time, and the request may cross that on its way. So it
  /// is sent again on a new connection, as browsers do (RFC 9110 §9.2.2), if that can do no harm.
  private func reply<Body>(
    to request: OutgoingRequest, by exchange: Exchange<Body>, from key: ClientPool.Key
  ) async throws -> Reply<Body> {
    let lease = clients.lease(key)
    do {
      return try await reply(to: request, by: exchange, over: lease)
    } catch {
      guard lease.hasAnswered, request.isIdempotent, !Task.isCancelled,
        case .connectionLost = HTTPFailure(error, at: "")
      else { throw error }
      clients.renew(lease)
      return try await reply(to: request, by: exchange, over: clients.lease(key))
    }
  }

  private func reply<Body>(
    to request: OutgoingRequest, by exchange: Exchange<Body>, over lease: ClientPool.Lease
  ) async throws -> Reply<Body> {
    let (head, body) = try await exchange.answer(request, lease.client)
    lease.noteAnswer()
    return Reply(
      address: request.address, head: head, body: body, lease: lease, limits: limits)
  }

  /// Returns where an answer redirects to; nil if it is none that redirects.
  private static func target<Body>(of reply: Reply<Body>) throws(HTTPFailure) -> WebAddress? {
    guard reply.head.isRedirect, let location = reply.head.headers.first(name: "location")
    else { return nil }
    do throws(HTTPFailure) {
      return try reply.address.following(location)
    } catch {
      throw .badRedirect(from: reply.address.place, reason: "\(error)")
    }
  }
}

extension HTTPNetwork.Exchange<HTTPNetwork.Parts> {
  /// Returns the answer when its head has arrived.
  static var inParts: Self {
    Self(isStreaming: true) { request, client in
      let response = try await client.execute(
        HTTPClientRequest(request), deadline: .distantFuture)
      let head = HTTPResponseHead(
        version: response.version, status: response.status, headers: response.headers)
      return (head, response.body)
    }
  }
}

extension HTTPNetwork.Exchange<HTTPNetwork.Whole> {
  /// Returns the answer when it has ended.
  static var whole: Self {
    Self(isStreaming: false) { request, client in
      let answer = try await AnswerCollector.answer(to: request, from: client)
      return (answer.head, answer.body)
    }
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
