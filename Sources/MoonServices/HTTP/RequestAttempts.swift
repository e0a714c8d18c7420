import Moonwire
import NIOCore
import NIOHTTP1

/// The attempts to get an answer to a request: what was tried, and what is next.
struct RequestAttempts {
  /// What follows an error.
  enum Next {
    /// The same once more, over another connection.
    case onNewConnection
    /// The same at the next address of the host.
    case atNextAddress
    /// Nothing: the request has failed.
    case nowhere(HTTPFailure)
  }

  /// The request as it is after the redirects.
  private(set) var request: OutgoingRequest
  /// Whether the host is a name, and no address.
  private(set) var isName = false
  /// The places that have redirected.
  private var origins: [String] = []
  /// The addresses of the host that are left, the next one first.
  private var addresses: ArraySlice<NameLookup.Address> = []
  /// Whether the present address is tried for the second time, over a connection that must be new.
  private(set) var isRepeated = false

  init(_ request: OutgoingRequest) {
    self.request = request
  }

  /// The address to try; nil if the host must be looked up.
  var address: NameLookup.Address? { addresses.first }

  /// Begins with the first address of the host.
  mutating func begin(_ found: NameLookup.Found) {
    isName = found.isName
    addresses = found.addresses[...]
    isRepeated = false
  }

  /// Decides what to do after an error.
  ///
  /// A server may close a connection at any time, and the request may cross that on its way. So it
  /// is sent again on a new connection, as browsers do (RFC 9110 §9.2.2), if that can do no harm.
  ///
  /// - Throws: The error if the request was cancelled, or if it has a description of its own.
  mutating func next(after error: any Error, overUsedConnection isUsed: Bool) throws -> Next {
    guard let failure = HTTPFailure(error, at: request.address.place), !Task.isCancelled else {
      throw error
    }
    if isUsed, !isRepeated, request.isIdempotent, case .connectionLost = failure {
      isRepeated = true
      return .onNewConnection
    }
    guard failure.isBeforeSending, addresses.count > 1 else { return .nowhere(failure) }
    addresses.removeFirst()
    isRepeated = false
    return .atNextAddress
  }

  /// Goes on to where an answer redirects; returns false if it is the answer to the request.
  ///
  /// - Throws: ``HTTPFailure``.
  mutating func follow(_ head: HTTPResponseHead) throws(HTTPFailure) -> Bool {
    let max = request.limits.redirectCountMax
    guard max > 0, head.isRedirect, let location = head.headers.first(name: "location") else {
      return false
    }
    let place = request.address.place
    let next: WebAddress
    do throws(HTTPFailure) {
      next = try request.address.following(location)
    } catch {
      throw .badRedirect(from: place, reason: "\(error)")
    }
    origins.append(place)
    guard origins.count <= max else { throw .tooManyRedirects(place, max: max) }
    request = request.redirected(to: next, status: head.status)
    addresses = []
    return true
  }

  /// Returns what a script is told when it may not reach the place.
  func failure(for refusal: GrantRefusal) -> any Error {
    guard let origin = origins.last else { return refusal }
    return HTTPFailure.redirectRefused(from: origin, refusal)
  }
}

extension ClientPool.Key {
  /// Makes the key for the next attempt.
  init(
    _ attempts: RequestAttempts, _ address: NameLookup.Address, _ module: ModuleName?,
    isStreaming: Bool
  ) {
    let request = attempts.request
    self.init(
      module: module, host: request.address.host, address: attempts.isName ? address.text : nil,
      isSecure: request.address.scheme.isSecure, connectSeconds: request.limits.connect,
      readSeconds: request.limits.readWithinWhole,
      bytesMax: isStreaming ? 0 : request.limits.bytesMax, isStreaming: isStreaming)
  }
}
