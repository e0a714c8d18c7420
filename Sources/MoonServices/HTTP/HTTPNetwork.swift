import AsyncHTTPClient
import Moonwire
package import NIOCore
import NIOHTTP1
package import NIOSSL

/// The connections of one service: it sends requests where the grants allow it.
package final class HTTPNetwork: Sendable {
  let trust: NIOSSLTrustRoots
  let limits = TimeLimits()
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
  }

  /// Returns the addresses of a name at a port, the preferred ones first.
  package typealias Resolver =
    @Sendable (_ host: String, _ port: Int) throws(HTTPFailure) -> [SocketAddress]

  /// An answer whose body is still to be read.
  struct Reply: Sendable {
    /// The address that answered, after all redirects.
    let address: WebAddress
    let response: HTTPClientResponse
    let lease: ClientPool.Lease
    let limits: TimeLimits
  }

  /// Sends a request, follows redirects, and returns the answer when its head has arrived.
  ///
  /// Each place is checked against the grants before anything is sent there.
  ///
  /// - Throws: ``HTTPFailure``, `GrantRefusal` for the first place, `CancellationError`.
  func send(
    _ request: OutgoingRequest, isStreaming: Bool, for call: ServiceCall
  ) async throws -> Reply {
    var request = request
    var origins: [String] = []
    while true {
      let reply: Reply
      do {
        reply = try await exchange(request, isStreaming: isStreaming, for: call)
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
      request = request.redirected(to: next, status: reply.response.status)
    }
  }

  /// Returns the addresses of a host that the module may reach.
  ///
  /// - Throws: `GrantRefusal` if there is none; ``HTTPFailure/nameNotFound(_:)``;
  ///   `CancellationError`.
  func addresses(
    of address: WebAddress, for call: ServiceCall
  ) async throws -> [(SocketAddress, text: String)] {
    try call.require(host: address.host, port: address.port)
    var allowed: [(SocketAddress, String)] = []
    var refusal: GrantRefusal?
    for found in try await names.addresses(of: address.host, port: address.port) {
      guard let text = found.ipAddress else { continue }
      do throws(GrantRefusal) {
        try call.require(address: text, port: address.port)
        allowed.append((found, text))
      } catch {
        refusal = refusal ?? error
      }
    }
    if allowed.isEmpty { throw refusal ?? HTTPFailure.nameNotFound(address.host) }
    return allowed
  }

  /// Forgets the addresses of a host.
  func forget(_ address: WebAddress) { names.forget(address.host, port: address.port) }

  /// Ends all connections.
  func close() async { await clients.close() }

  /// Sends a request to the first address of its host that accepts a connection.
  private func exchange(
    _ request: OutgoingRequest, isStreaming: Bool, for call: ServiceCall
  ) async throws -> Reply {
    let address = request.address
    var failure = HTTPFailure.nameNotFound(address.host)
    for (_, text) in try await addresses(of: address, for: call) {
      let isName = (try? SocketAddress(ipAddress: address.host, port: 0)) == nil
      let key = ClientPool.Key(
        module: call.module, host: address.host, address: isName ? text : nil,
        isSecure: address.scheme.isSecure, connectSeconds: request.limits.connect,
        readSeconds: request.limits.read, bytesMax: isStreaming ? 0 : request.limits.bytesMax,
        isStreaming: isStreaming)
      do {
        return try await reply(to: request, from: key)
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
  private func reply(to request: OutgoingRequest, from key: ClientPool.Key) async throws -> Reply {
    let lease = clients.lease(key)
    do {
      return try await reply(to: request, over: lease)
    } catch {
      guard lease.hasAnswered, request.isIdempotent, !Task.isCancelled,
        case .connectionLost = HTTPFailure(error, at: "")
      else { throw error }
      clients.renew(lease)
      return try await reply(to: request, over: clients.lease(key))
    }
  }

  private func reply(
    to request: OutgoingRequest, over lease: ClientPool.Lease
  ) async throws -> Reply {
    let response = try await lease.client.execute(
      HTTPClientRequest(request), deadline: .distantFuture)
    lease.noteAnswer()
    return Reply(address: request.address, response: response, lease: lease, limits: limits)
  }

  /// Returns where an answer redirects to; nil if it is none that redirects.
  private static func target(of reply: Reply) throws(HTTPFailure) -> WebAddress? {
    guard [301, 302, 303, 307, 308].contains(reply.response.status.code),
      let location = reply.response.headers.first(name: "location")
    else { return nil }
    do throws(HTTPFailure) {
      return try reply.address.following(location)
    } catch {
      throw .badRedirect(from: reply.address.place, reason: "\(error)")
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
