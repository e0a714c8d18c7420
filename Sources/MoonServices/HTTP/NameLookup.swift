import Dispatch
import Glibc
import Moonwire
package import NIOCore
import NIOPosix
import Synchronization

/// The addresses of host names, kept for a short time.
///
/// Looking up by ourselves, and connecting to nothing but the result, is what makes the check of
/// addresses reliable: a second look-up might have another result.
package final class NameLookup: Sendable {
  /// The seconds for which addresses are kept.
  static let lifeSeconds = 30.0
  /// The maximum number of names that are kept.
  static let nameCountMax = 256

  /// A host at a port.
  private struct Place: Hashable {
    let host: String
    let port: Int
  }

  /// What is known of a host at a port.
  struct Found: Sendable {
    /// The scope that a module needs for it.
    let scope: Scope
    /// Whether the host is a name, and no address.
    let isName: Bool
    var addresses: [Address]
  }

  /// An address of a host.
  struct Address: Sendable {
    let socket: SocketAddress
    let text: String
    /// The scope that a module needs for it; nil if it needs none.
    let scope: Scope?
  }

  private struct Entry {
    let found: Found
    let end: DispatchTime
  }

  private let resolve: HTTPNetwork.Resolver
  private let entries = Mutex<[Place: Entry]>([:])

  init(_ resolve: @escaping HTTPNetwork.Resolver) {
    self.resolve = resolve
  }

  /// Returns what is known of a host; nil if it must be looked up.
  func known(_ host: String, port: Int) -> Found? {
    let place = Place(host: host, port: port)
    return entries.withLock { entries in
      guard let entry = entries[place], entry.end > .now() else { return nil }
      return entry.found
    }
  }

  /// Looks up a name, or reads the address that the text is, after a check of the scope.
  ///
  /// - Throws: What `check` throws; ``HTTPFailure/nameNotFound(_:)``, or `CancellationError`; the
  ///   look-up then goes on without anybody who waits for it.
  func lookUp(
    _ host: String, port: Int, checking check: (Scope) throws -> Void
  ) async throws -> Found {
    let place = Place(host: host, port: port)
    let scope = Scope(host: host, port: port)
    try check(scope)
    let own = try? SocketAddress(ipAddress: host, port: port)
    let sockets = if let own { [own] } else { try await resolved(place) }
    let found = Found(
      scope: scope, isName: own == nil,
      addresses: sockets.compactMap { Address($0, port: port) })
    keep(found, for: place)
    return found
  }

  /// Forgets a name whose addresses don't answer.
  func forget(_ host: String, port: Int) {
    entries.withLock { $0[Place(host: host, port: port)] = nil }
  }

  private func resolved(_ place: Place) async throws -> [SocketAddress] {
    try await NIOThreadPool.singleton.runIfActive(
      eventLoop: MultiThreadedEventLoopGroup.singleton.any()
    ) { [resolve] in try resolve(place.host, place.port) }.abandonable()
  }

  private func keep(_ found: Found, for place: Place) {
    entries.withLock { entries in
      if entries.count >= Self.nameCountMax { entries.removeAll() }
      entries[place] = Entry(found: found, end: .now() + Self.lifeSeconds)
    }
  }

  /// Asks the system, which may take long and blocks; the order is that of RFC 6724.
  @Sendable package static func system(_ host: String, _ port: Int) throws(HTTPFailure)
    -> [SocketAddress]
  {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_protocol = Int32(IPPROTO_TCP)
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &first) == 0 else { throw .nameNotFound(host) }
    defer { freeaddrinfo(first) }
    var addresses: [SocketAddress] = []
    var next = first
    while let info = next?.pointee {
      if let address = address(info) { addresses.append(address) }
      next = info.ai_next
    }
    guard !addresses.isEmpty else { throw .nameNotFound(host) }
    return addresses
  }

  private static func address(_ info: addrinfo) -> SocketAddress? {
    guard let bytes = info.ai_addr else { return nil }
    switch info.ai_family {
    case AF_INET:
      return bytes.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        SocketAddress($0.pointee)
      }
    case AF_INET6:
      return bytes.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        SocketAddress($0.pointee)
      }
    default: return nil
    }
  }
}

extension NameLookup.Address {
  fileprivate init?(_ socket: SocketAddress, port: Int) {
    guard let text = socket.ipAddress else { return nil }
    self.init(
      socket: socket, text: text, scope: ServiceCall.scope(ofAddress: text, port: port))
  }
}

extension EventLoopFuture where Value: Sendable {
  /// Waits for the result, and stops waiting when the task is cancelled.
  func abandonable() async throws -> Value {
    let promise = eventLoop.makePromise(of: Value.self)
    cascade(to: promise)
    return try await withTaskCancellationHandler {
      try await promise.futureResult.get()
    } onCancel: {
      promise.fail(CancellationError())
    }
  }
}
