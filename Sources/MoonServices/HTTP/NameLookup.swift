import Glibc
import MoonLua
import Moonwire
import Synchronization

/// The addresses of host names, kept for a short time.
///
/// At most ``BlockingThreads/countMax`` names are looked up at the same time, and
/// ``BlockingThreads/shareMax`` for one module; more wait.
///
/// libcurl could look names up as well, but couldn't stop when a request is cancelled. The
/// addresses that a module may reach are checked when a socket is opened, whatever is found here.
package final class NameLookup: Sendable {
  /// The number of seconds for which addresses are kept.
  static let lifeSeconds = 30.0
  /// The maximum number of names kept.
  static let nameCountMax = 256

  /// A host at a port.
  private struct Place: Hashable {
    let host: String
    let port: Int
  }

  /// The result of looking up a host at a port.
  struct Found: Sendable {
    /// The scope that a module needs for it.
    let scope: Scope
    /// The addresses of a name, the preferred ones first; none if the host is an address.
    let addresses: [SocketAddress]
  }

  private struct Entry {
    let found: Found
    let end: ContinuousClock.Instant
  }

  private let resolve: HTTPNetwork.Resolver
  // A lookup that nobody waits for any more keeps its thread until the system answers. So they
  // aren't the threads of other services, and other modules find some.
  private let threads = BlockingThreads()
  private let shares = Mutex<[ModuleName?: BlockingThreads.Share]>([:])
  private let entries = Mutex<[Place: Entry]>([:])

  init(_ resolve: @escaping HTTPNetwork.Resolver) { self.resolve = resolve }

  /// Returns the result for a host; nil if it must be looked up.
  func known(_ host: String, port: Int) -> Found? {
    let place = Place(host: host, port: port)
    return entries.withLock { entries in
      guard let entry = entries[place], entry.end > .now else { return nil }
      return entry.found
    }
  }

  /// Looks up a name for a module, or reads the text as an address, after checking the scope.
  ///
  /// - Throws: The errors of `check`, ``HTTPFailure/nameNotFound(_:)``, or `CancellationError`; the
  ///   lookup then continues without a waiter.
  func lookUp(
    _ host: String, port: Int, for module: ModuleName?, checking check: (Scope) throws -> Void
  ) async throws -> Found {
    let place = Place(host: host, port: port)
    let scope = Scope(host: host, port: port)
    try check(scope)
    let isName = SocketAddress(host, port: port) == nil
    let found = Found(scope: scope, addresses: isName ? try await resolved(place, for: module) : [])
    keep(found, for: place)
    return found
  }

  /// Forgets a name whose addresses don't respond.
  func forget(_ host: String, port: Int) {
    entries.withLock { $0[Place(host: host, port: port)] = nil }
  }

  private func resolved(
    _ place: Place, for module: ModuleName?
  ) async throws -> [SocketAddress] {
    let answer = Mailbox<[SocketAddress]>(countMax: 1)
    let share = shares.withLock { shares in
      let share = shares[module] ?? threads.share()
      shares[module] = share
      return share
    }
    Task(executorPreference: share) { [resolve] in
      do throws(HTTPFailure) {
        answer.add(try resolve(place.host, place.port))
      } catch {
        answer.end(error)
      }
    }
    return try await answer.next().0 ?? []
  }

  private func keep(_ found: Found, for place: Place) {
    entries.withLock { entries in
      if entries.count >= Self.nameCountMax { entries.removeAll() }
      entries[place] = Entry(found: found, end: .now + .seconds(Self.lifeSeconds))
    }
  }

  /// Asks the system, which may block for long; the order is that of RFC 6724.
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
      if let address = SocketAddress(info.ai_addr) { addresses.append(address) }
      next = info.ai_next
    }
    guard !addresses.isEmpty else { throw .nameNotFound(host) }
    return addresses
  }
}
