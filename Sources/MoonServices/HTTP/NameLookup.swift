import Dispatch
import Glibc
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

  private struct Entry {
    let addresses: [SocketAddress]
    let end: DispatchTime
  }

  private let resolve: HTTPNetwork.Resolver
  private let entries = Mutex<[String: Entry]>([:])

  init(_ resolve: @escaping HTTPNetwork.Resolver) {
    self.resolve = resolve
  }

  /// Returns the addresses of a name, or the one that the text is.
  ///
  /// - Throws: ``HTTPFailure/nameNotFound(_:)``, or `CancellationError`; the look-up then goes on
  ///   without anybody who waits for it.
  func addresses(of host: String, port: Int) async throws -> [SocketAddress] {
    if let address = try? SocketAddress(ipAddress: host, port: port) { return [address] }
    let key = "\(host):\(port)"
    if let known = known(key) { return known }
    let found = try await NIOThreadPool.singleton.runIfActive(
      eventLoop: MultiThreadedEventLoopGroup.singleton.any()
    ) { [resolve] in try resolve(host, port) }.abandonable()
    keep(found, for: key)
    return found
  }

  /// Forgets a name whose addresses don't answer.
  func forget(_ host: String, port: Int) {
    entries.withLock { $0["\(host):\(port)"] = nil }
  }

  private func known(_ key: String) -> [SocketAddress]? {
    entries.withLock { entries in
      guard let entry = entries[key], entry.end > .now() else { return nil }
      return entry.addresses
    }
  }

  private func keep(_ addresses: [SocketAddress], for key: String) {
    entries.withLock { entries in
      if entries.count >= Self.nameCountMax { entries.removeAll() }
      entries[key] = Entry(addresses: addresses, end: .now() + Self.lifeSeconds)
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
