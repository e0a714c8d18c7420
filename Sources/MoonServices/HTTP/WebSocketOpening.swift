import Moonwire
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// A WebSocket that is to be opened.
struct WebSocketOpening: Sendable {
  let address: WebAddress
  let headers: HTTPHeaders
  let protocols: [String]
  let connectSeconds: Double
  let bytesMax: Int

  /// - Throws: ``HTTPFailure/badHeader(_:reason:)`` for a subprotocol that isn't a word.
  init(
    address: WebAddress, headers: HTTPHeaders, protocols: [String], connectSeconds: Double,
    bytesMax: Int
  ) throws(HTTPFailure) {
    guard protocols.allSatisfy(RequestFields.isToken) else {
      throw .badHeader("Sec-WebSocket-Protocol", reason: "can't hold such a subprotocol")
    }
    self.address = address
    self.headers = headers
    self.protocols = protocols
    self.connectSeconds = connectSeconds
    self.bytesMax = bytesMax
  }

  /// The request that asks for the change of protocol (RFC 6455 §4.1).
  fileprivate var head: HTTPRequestHead {
    var headers = headers
    headers.replaceOrAdd(name: "host", value: address.place)
    if !headers.contains(name: "user-agent") { headers.add(name: "user-agent", value: "moonwire") }
    if !protocols.isEmpty {
      headers.add(name: "sec-websocket-protocol", value: protocols.joined(separator: ", "))
    }
    return HTTPRequestHead(version: .http1_1, method: .GET, uri: address.target, headers: headers)
  }
}

extension HTTPNetwork {
  /// Opens a WebSocket at the first address of its host that accepts a connection.
  ///
  /// - Throws: ``HTTPFailure``, `GrantRefusal`, `CancellationError`.
  func webSocket(
    _ opening: WebSocketOpening, within seconds: Double, for call: ServiceCall
  ) async throws -> WebSocket {
    let address = opening.address
    let limit = HTTPFailure.timedOut(address.place, .answering(seconds: seconds))
    return try await limits.limit(to: seconds, orThrow: limit) {
      var failure = HTTPFailure.nameNotFound(address.host)
      for found in try await self.addresses(of: address, for: call).addresses {
        do {
          return try await self.open(opening, at: found.socket)
        } catch {
          guard let known = HTTPFailure(error, at: address.place) else { throw error }
          failure = known
          guard known.isBeforeSending else { break }
        }
      }
      self.forget(address)
      throw failure
    }
  }

  private func open(
    _ opening: WebSocketOpening, at found: SocketAddress
  ) async throws -> WebSocket {
    let secure = try await tls(for: opening.address)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let upgrade = loop.makePromise(of: EventLoopFuture<WebSocketUpgrade.Outcome>.self)
    let connecting = ClientBootstrap(group: loop)
      .connectTimeout(.nanoseconds(Int64(opening.connectSeconds * 1e9)))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let secure { try pipeline.addHandler(secure.handler()) }
          upgrade.succeed(
            try pipeline.configureUpgradableHTTPClientPipeline(
              configuration: WebSocketUpgrade.configuration(opening)))
        }
      }
      .connect(to: found)
    connecting.whenFailure { upgrade.fail($0) }
    let outcome = connecting.flatMap { _ in upgrade.futureResult }.flatMap { $0 }
    do {
      return try await Self.socket(outcome.abandonable(), opening)
    } catch {
      connecting.whenSuccess { $0.close(promise: nil) }
      throw error
    }
  }

  private static func socket(
    _ outcome: WebSocketUpgrade.Outcome, _ opening: WebSocketOpening
  ) async throws -> WebSocket {
    switch outcome {
    case .open(let socket):
      let agreed = socket.subprotocol
      guard agreed.map(opening.protocols.contains) ?? true else {
        throw HTTPFailure.notAWebSocket(
          opening.address.place, reason: "it chose the subprotocol '\(agreed ?? "")'")
      }
      return socket
    case .refused(let status):
      let status = try await status.abandonable()
      throw HTTPFailure.notAWebSocket(
        opening.address.place, reason: "the status is \(status.code) instead of 101")
    }
  }

  private func tls(for address: WebAddress) async throws -> WebSocketTLS? {
    guard address.scheme.isSecure else { return nil }
    // Reading the certificates of the system takes long.
    return try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try readTLS(for: address)
    }
  }

  private func readTLS(for address: WebAddress) throws -> WebSocketTLS {
    var options = TLSConfiguration.makeClientConfiguration()
    options.trustRoots = trust
    let isName = (try? SocketAddress(ipAddress: address.host, port: 0)) == nil
    return WebSocketTLS(
      context: try NIOSSLContext(configuration: options), host: isName ? address.host : nil)
  }
}

/// The security of a connection.
private struct WebSocketTLS: Sendable {
  let context: NIOSSLContext
  /// The name that the certificate must be for; nil for an address.
  let host: String?

  func handler() throws -> NIOSSLClientHandler {
    try NIOSSLClientHandler(context: context, serverHostname: host)
  }
}

/// The change of a connection's protocol from HTTP to WebSocket.
private enum WebSocketUpgrade {
  enum Outcome: Sendable {
    case open(WebSocket)
    case refused(EventLoopFuture<HTTPResponseStatus>)
  }

  /// The maximum number of parts of a message.
  static let fragmentCountMax = 4_096

  static func configuration(
    _ opening: WebSocketOpening
  ) -> NIOUpgradableHTTPClientPipelineConfiguration<Outcome> {
    let bytesMax = opening.bytesMax
    let upgrader = NIOTypedWebSocketClientUpgrader(
      maxFrameSize: bytesMax, enableAutomaticErrorHandling: false
    ) { channel, head in
      channel.eventLoop.makeCompletedFuture {
        let mailbox = WebSocketMailbox(bytesMax: bytesMax)
        try channel.pipeline.syncOperations.addHandlers([
          WebSocketFrameCheck(),
          NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: fragmentCountMax,
            maxAccumulatedFrameSize: bytesMax),
          WebSocketHandler(mailbox),
        ])
        // The server may have closed the connection before the handlers were there to see it. In a
        // turn of its own, since what came before the end is still to be passed to them.
        channel.closeFuture.whenComplete { _ in
          channel.eventLoop.execute {
            mailbox.end(.socketClosed(code: 1006, reason: WebSocketHandler.lossReason))
          }
        }
        let agreed = head.headers.first(name: "sec-websocket-protocol")
        return Outcome.open(WebSocket(channel, mailbox, subprotocol: agreed))
      }
    }
    var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
      upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
        upgradeRequestHead: opening.head, upgraders: [upgrader],
        notUpgradingCompletionHandler: refused))
    configuration.leftOverBytesStrategy = .forwardBytes
    return configuration
  }

  @Sendable private static func refused(_ channel: any Channel) -> EventLoopFuture<Outcome> {
    channel.eventLoop.makeCompletedFuture {
      let reader = StatusReader(channel.eventLoop.makePromise())
      try channel.pipeline.syncOperations.addHandler(reader)
      return Outcome.refused(reader.status.futureResult)
    }
  }
}

/// Reads the status of the answer of a server that doesn't open a WebSocket.
private final class StatusReader: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  let status: EventLoopPromise<HTTPResponseStatus>

  init(_ status: EventLoopPromise<HTTPResponseStatus>) {
    self.status = status
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) { status.succeed(head.status) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    status.fail(ChannelError.eof)
  }
}
