import AsyncHTTPClient
import Moonwire
import NIOCore
import NIOHTTPCompression
import NIOPosix
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

  /// A client whose connections are all on one event loop, and its uses.
  fileprivate final class Client: Sendable {
    let client: HTTPClient
    /// The number of leases, which grows under the lock of the pool only.
    let useCount = Atomic(0)
    /// Whether it may have connections that were in use before.
    let hasAnswered = Atomic(false)
    /// Whether it is given up when its last use ends.
    let isReplaced = Atomic(false)

    init(_ client: HTTPClient) {
      self.client = client
    }
  }

  /// The clients for a key, by the index of their event loop.
  ///
  /// With one client for all loops, half of the requests on two loops got a connection on the other
  /// one. They changed threads five times, which took an eighth of the processor time of requests.
  fileprivate struct Entry {
    var clients: [Client?]
    var lastUse = 0
  }

  fileprivate struct Contents {
    var entries: [Key: Entry] = [:]
    /// The clients that are still in use and are given up then: those that ``renew(_:)`` has
    /// replaced, and those of ``leaseAlone(_:)``.
    var replaced: [Client] = []
    var count = 0
  }

  private let contents = Mutex(Contents())
  private let trust: NIOSSLTrustRoots
  /// The event loops that have clients.
  private let loops = Array(
    MultiThreadedEventLoopGroup.singleton.makeIterator().prefix(connectionCountMax))
  /// The maximum number of connections of a client of each loop.
  private let shares: [Int]

  init(trust: NIOSSLTrustRoots = .default) {
    self.trust = trust
    let (share, rest) = Self.connectionCountMax.quotientAndRemainder(dividingBy: loops.count)
    shares = loops.indices.map { $0 < rest ? share + 1 : share }
  }

  deinit {
    for client in contents.withLock({ $0.removeAll() }) { Self.shutDown(client) }
  }

  /// The use of a client; when the last reference to it goes, the client may be given up.
  final class Lease: Sendable {
    fileprivate let key: Key
    fileprivate let used: Client
    private let pool: ClientPool

    fileprivate init(_ used: Client, _ key: Key, of pool: ClientPool) {
      self.used = used
      self.key = key
      self.pool = pool
    }

    var client: HTTPClient { used.client }

    /// Whether a request of the lease may have got a connection that was in use before.
    ///
    /// The client gives a connection to the next request before the use that had it notes the
    /// answer.
    var mayUseAgain: Bool {
      used.hasAnswered.load(ordering: .acquiring) || used.useCount.load(ordering: .acquiring) > 1
    }

    /// Notes that an answer has come, after which its connection may be used again.
    func noteAnswer() {
      if !used.hasAnswered.load(ordering: .relaxed) {
        used.hasAnswered.store(true, ordering: .releasing)
      }
    }

    deinit { pool.release(used) }
  }

  /// Returns a client for a key, that of the present event loop unless another has a connection to
  /// spare.
  func lease(_ key: Key) -> Lease {
    let present = MultiThreadedEventLoopGroup.currentEventLoop
    let index = present.flatMap { loop in loops.firstIndex { $0 === loop } } ?? 0
    let (client, surplus) = contents.withLock { contents in
      contents.use(key, at: index, shares) { place in
        Client(self.client(for: key, at: place))
      }
    }
    for client in surplus { Self.shutDown(client) }
    return Lease(client, key, of: self)
  }

  /// Returns a client that nobody else uses, so that its connection is new.
  ///
  /// It is given up with the lease.
  func leaseAlone(_ key: Key) -> Lease {
    let present = MultiThreadedEventLoopGroup.currentEventLoop
    let place = present.flatMap { loop in loops.firstIndex { $0 === loop } } ?? 0
    let client = Client(client(for: key, at: place))
    contents.withLock { $0.useAlone(client) }
    return Lease(client, key, of: self)
  }

  /// Replaces the clients for the key of a lease, so that the next one has no connection.
  func renew(_ lease: Lease) {
    let unused = contents.withLock { $0.replaceClients(for: lease.key, if: lease.used) }
    for client in unused { Self.shutDown(client) }
  }

  /// Ends all connections; the clients are made anew if they are used again.
  func close() async {
    for client in contents.withLock({ $0.removeAll() }) { try? await client.shutdown() }
  }

  private func release(_ used: Client) {
    let (_, left) = used.useCount.subtract(1, ordering: .sequentiallyConsistent)
    // One that was replaced is never used again.
    guard left == 0, used.isReplaced.load(ordering: .sequentiallyConsistent) else { return }
    if contents.withLock({ $0.removeReplaced(used) }) { Self.shutDown(used.client) }
  }

  private func client(for key: Key, at place: Int) -> HTTPClient {
    var options = HTTPClient.Configuration(redirectConfiguration: .disallow)
    // Without tracing, which prepares a description of each request for nobody.
    options.tracing.tracer = nil
    options.timeout.connect = .nanoseconds(Int64(key.connectSeconds * 1e9))
    options.timeout.read = key.readSeconds.map { .nanoseconds(Int64($0 * 1e9)) }
    if let address = key.address { options.dnsOverride = [key.host: address] }
    options.connectionPool.retryConnectionEstablishment = false
    options.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = shares[place]
    options.connectionPool.idleTimeout = .seconds(Self.idleSeconds)
    if !key.isStreaming { options.decompression = .enabled(limit: .size(key.bytesMax)) }
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = trust
    options.tlsConfiguration = tls
    return HTTPClient(eventLoopGroupProvider: .shared(loops[place]), configuration: options)
  }

  private static func shutDown(_ client: HTTPClient) {
    Task { try? await client.shutdown() }
  }
}

extension ClientPool.Entry {
  /// The place of the client to use for code on the event loop at `index`: its own, unless that
  /// isn't made yet and another is unused, or it has no connection to spare and another has.
  fileprivate func place(for index: Int, _ shares: [Int]) -> Int {
    let useCounts = clients.map { $0?.useCount.load(ordering: .acquiring) }
    guard let own = useCounts[index] else {
      // An unused client has a connection that is open already.
      return useCounts.firstIndex(of: 0) ?? index
    }
    if own < shares[index] { return index }
    return useCounts.indices.first { useCounts[$0] ?? 0 < shares[$0] } ?? index
  }

  fileprivate var httpClients: [HTTPClient] { clients.compactMap { $0?.client } }

  fileprivate var isUnused: Bool {
    clients.allSatisfy { $0?.useCount.load(ordering: .acquiring) ?? 0 == 0 }
  }
}

extension ClientPool.Contents {
  /// Begins a use of a client for a key, and returns the clients that make room for a new one.
  fileprivate mutating func use(
    _ key: ClientPool.Key, at index: Int, _ shares: [Int],
    _ make: (_ place: Int) -> ClientPool.Client
  ) -> (ClientPool.Client, surplus: [HTTPClient]) {
    count += 1
    var entry =
      entries[key] ?? ClientPool.Entry(clients: Array(repeating: nil, count: shares.count))
    let place = entry.place(for: index, shares)
    let known = entry.clients[place]
    let client = known ?? make(place)
    client.useCount.add(1, ordering: .relaxed)
    entry.lastUse = count
    if known == nil { entry.clients[place] = client }
    entries[key] = entry
    return (client, known == nil ? removeSurplus() : [])
  }

  /// Begins the only use of a client, which is for no key.
  fileprivate mutating func useAlone(_ client: ClientPool.Client) {
    client.useCount.add(1, ordering: .relaxed)
    client.isReplaced.store(true, ordering: .sequentiallyConsistent)
    replaced.append(client)
  }

  /// Replaces the clients for a key if `client` is one of them, and returns those that nobody uses.
  fileprivate mutating func replaceClients(
    for key: ClientPool.Key, if client: ClientPool.Client
  ) -> [HTTPClient] {
    guard let clients = entries[key]?.clients.compactMap({ $0 }),
      clients.contains(where: { $0 === client })
    else { return [] }
    entries[key] = nil
    return clients.compactMap { client in
      // In this order: whoever ends the last use meanwhile sees that the client was replaced.
      client.isReplaced.store(true, ordering: .sequentiallyConsistent)
      if client.useCount.load(ordering: .sequentiallyConsistent) == 0 { return client.client }
      replaced.append(client)
      return nil
    }
  }

  /// Removes a client that was replaced; returns false if it is gone.
  fileprivate mutating func removeReplaced(_ client: ClientPool.Client) -> Bool {
    guard let place = replaced.firstIndex(where: { $0 === client }) else { return false }
    replaced.remove(at: place)
    return true
  }

  /// Removes and returns all clients.
  fileprivate mutating func removeAll() -> [HTTPClient] {
    defer {
      entries = [:]
      replaced = []
    }
    return entries.values.flatMap(\.httpClients) + replaced.map(\.client)
  }

  /// Removes clients that nobody uses, those that weren't used for longest first, and returns them.
  private mutating func removeSurplus() -> [HTTPClient] {
    guard entries.count > ClientPool.clientCountMax else { return [] }
    let idle = entries.filter(\.value.isUnused).sorted { $0.value.lastUse < $1.value.lastUse }
    let surplus = idle.prefix(entries.count - ClientPool.clientCountMax)
    for (key, _) in surplus { entries[key] = nil }
    return surplus.flatMap(\.value.httpClients)
  }
}
