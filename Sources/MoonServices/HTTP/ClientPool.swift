import AsyncHTTPClient
import Moonwire
import NIOCore
import NIOHTTPCompression
import NIOSSL
import Synchronization

/// The HTTP clients of a service, each with its connections.
///
/// There is one for each module and address, so that no module uses up the connections of another,
/// and a name is never looked up by the client.
final class ClientPool: Sendable {
  /// The number of idle clients that are kept.
  static let clientCountMax = 64
  /// The maximum number of connections of a module to one address; more requests wait.
  static let connectionCountMax = 32
  /// The seconds for which an unused connection is kept.
  static let idleSeconds: Int64 = 30

  /// What the requests of a client have in common.
  struct Key: Hashable {
    let module: ModuleName?
    let host: String
    /// The address of a name; nil if the host is an address.
    let address: String?
    let isSecure: Bool
    let connectSeconds: Double
    /// Nil for bodies that the script reads in parts.
    let readSeconds: Double?
    let bytesMax: Int
    let isStreaming: Bool
  }

  fileprivate struct Entry {
    let client: HTTPClient
    var useCount = 0
    var lastUse = 0
    /// Whether it may have connections that were in use before.
    var hasAnswered = false
  }

  fileprivate struct Contents {
    var entries: [Key: Entry] = [:]
    /// The clients that ``renew(_:)`` has replaced and that are still in use.
    var replaced: [Entry] = []
    var count = 0
  }

  private let contents = Mutex(Contents())
  private let trust: NIOSSLTrustRoots

  init(trust: NIOSSLTrustRoots = .default) {
    self.trust = trust
  }

  deinit {
    let clients = contents.withLock { contents -> [HTTPClient] in
      (contents.entries.values + contents.replaced).map(\.client)
    }
    for client in clients { Self.shutDown(client) }
  }

  /// The use of a client; when the last reference to it goes, the client may be given up.
  final class Lease: Sendable {
    let client: HTTPClient
    /// Whether the client may have connections that were in use before.
    let hasAnswered: Bool
    fileprivate let key: Key
    private let pool: ClientPool

    fileprivate init(_ entry: Entry, _ key: Key, of pool: ClientPool) {
      client = entry.client
      hasAnswered = entry.hasAnswered
      self.key = key
      self.pool = pool
    }

    /// Notes that an answer has come, after which its connection may be used again.
    func noteAnswer() { if !hasAnswered { pool.noteAnswer(key, client) } }

    deinit { pool.release(key, client) }
  }

  /// Returns the client for a key.
  func lease(_ key: Key) -> Lease {
    let entry = contents.withLock { contents -> Entry in
      contents.use(key) { self.client(for: key) }
    }
    let surplus = contents.withLock { contents -> [HTTPClient] in contents.removeSurplus() }
    for client in surplus { Self.shutDown(client) }
    return Lease(entry, key, of: self)
  }

  /// Replaces the client of a lease, so that the next one for its key has no connection.
  func renew(_ lease: Lease) {
    contents.withLock { contents in
      guard let entry = contents.entries[lease.key], entry.client === lease.client else { return }
      contents.entries[lease.key] = nil
      contents.replaced.append(entry)
    }
  }

  private func noteAnswer(_ key: Key, _ client: HTTPClient) {
    contents.withLock { contents in
      guard contents.entries[key]?.client === client else { return }
      contents.entries[key]?.hasAnswered = true
    }
  }

  /// Ends all connections; the clients are made anew if they are used again.
  func close() async {
    let clients = contents.withLock { contents -> [HTTPClient] in
      defer {
        contents.entries = [:]
        contents.replaced = []
      }
      return (contents.entries.values + contents.replaced).map(\.client)
    }
    for client in clients { try? await client.shutdown() }
  }

  private func release(_ key: Key, _ client: HTTPClient) {
    let isUnused = contents.withLock { contents in
      if contents.entries[key]?.client === client {
        contents.entries[key]?.useCount -= 1
        return false
      }
      return contents.release(replaced: client)
    }
    if isUnused { Self.shutDown(client) }
  }

  private func client(for key: Key) -> HTTPClient {
    var options = HTTPClient.Configuration(redirectConfiguration: .disallow)
    // Without tracing, which prepares a description of each request for nobody.
    options.tracing.tracer = nil
    options.timeout.connect = .nanoseconds(Int64(key.connectSeconds * 1e9))
    options.timeout.read = key.readSeconds.map { .nanoseconds(Int64($0 * 1e9)) }
    if let address = key.address { options.dnsOverride = [key.host: address] }
    options.connectionPool.retryConnectionEstablishment = false
    options.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connectionCountMax
    options.connectionPool.idleTimeout = .seconds(Self.idleSeconds)
    if !key.isStreaming { options.decompression = .enabled(limit: .size(key.bytesMax)) }
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = trust
    options.tlsConfiguration = tls
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: options)
  }

  private static func shutDown(_ client: HTTPClient) {
    Task { try? await client.shutdown() }
  }
}

extension ClientPool.Contents {
  fileprivate mutating func use(
    _ key: ClientPool.Key, _ make: () -> HTTPClient
  ) -> ClientPool.Entry {
    count += 1
    var entry = entries[key] ?? ClientPool.Entry(client: make())
    entry.useCount += 1
    entry.lastUse = count
    entries[key] = entry
    return entry
  }

  /// Ends a use of a client that was replaced; returns whether that was the last one.
  fileprivate mutating func release(replaced client: HTTPClient) -> Bool {
    guard let place = replaced.firstIndex(where: { $0.client === client }) else { return false }
    replaced[place].useCount -= 1
    guard replaced[place].useCount == 0 else { return false }
    replaced.remove(at: place)
    return true
  }

  /// Removes clients that nobody uses, those that weren't used for longest first, and returns them.
  fileprivate mutating func removeSurplus() -> [HTTPClient] {
    guard entries.count > ClientPool.clientCountMax else { return [] }
    let idle = entries.filter { $0.value.useCount == 0 }.sorted {
      $0.value.lastUse < $1.value.lastUse
    }
    let surplus = idle.prefix(entries.count - ClientPool.clientCountMax)
    for (key, _) in surplus { entries[key] = nil }
    return surplus.map(\.value.client)
  }
}
