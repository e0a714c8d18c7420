import MoonTestServer
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server on 127.0.0.1 that notes the idempotency keys with which it is asked for each path, is
/// busy now and then, and can hold an answer back.
final class CountingServer: StartedServer, Sendable {
  private struct Facts {
    var keys: [String: [String]] = [:]
    /// The paths that are answered with 503 when they are first asked for.
    var busyPaths: Set<String> = []
    /// The path that isn't answered, unless it is busy.
    var heldPath: String?
    var waiter: CheckedContinuation<Void, Never>?
    var isHolding = false
  }

  private let facts: Mutex<Facts>
  private let listener: any Channel

  fileprivate init(busy paths: Set<String>) async throws {
    facts = Mutex(Facts(busyPaths: paths))
    let notes = Notes()
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(CountingHandler { notes.answer($0, $1) })
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    notes.serve(self)
  }

  var url: String { "http://localhost:\(listener.localAddress?.port ?? 0)" }

  /// Returns the keys with which a path was asked for, in order.
  func keys(of path: String) -> [String] { facts.withLock { $0.keys[path] ?? [] } }

  /// Doesn't answer a path any more, until the next call.
  func hold(_ path: String?) {
    facts.withLock {
      $0.heldPath = path
      $0.isHolding = false
    }
  }

  /// Waits until the path is asked for that isn't answered.
  func isAsked() async {
    await withCheckedContinuation { continuation in
      let isAsked = facts.withLock { facts in
        if !facts.isHolding { facts.waiter = continuation }
        return facts.isHolding
      }
      if isAsked { continuation.resume() }
    }
  }

  /// Notes a question; returns the status of the answer, or nil if there is none.
  fileprivate func answer(_ path: String, _ key: String) -> HTTPResponseStatus? {
    let (status, waiter) = facts.withLock { facts in
      facts.keys[path, default: []].append(key)
      if facts.busyPaths.remove(path) != nil {
        return (
          HTTPResponseStatus?.some(.serviceUnavailable), CheckedContinuation<Void, Never>?.none
        )
      }
      guard facts.heldPath == path else { return (.ok, nil) }
      facts.isHolding = true
      defer { facts.waiter = nil }
      return (nil, facts.waiter)
    }
    waiter?.resume()
    return status
  }

  func close() async { try? await listener.close().get() }
}

/// Runs a body with a server that is busy when some paths are first asked for, and ends it.
func withCountingServer(
  busyAt paths: Set<String>, _ body: (CountingServer) async throws -> Void
) async throws {
  try await CountingServer(busy: paths).close(after: body)
}

/// The way from the accepted connections to their server, which is made after them.
private final class Notes: Sendable {
  private let server = Mutex<CountingServer?>(nil)

  func serve(_ server: CountingServer) { self.server.withLock { $0 = server } }

  func answer(_ path: String, _ key: String) -> HTTPResponseStatus? {
    server.withLock { $0 }?.answer(path, key)
  }
}

private final class CountingHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let answer: @Sendable (_ path: String, _ key: String) -> HTTPResponseStatus?
  private var head: HTTPRequestHead?

  init(_ answer: @escaping @Sendable (String, String) -> HTTPResponseStatus?) {
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: return
    case .end:
      guard let head else { return }
      let key = head.headers.first(name: "idempotency-key") ?? "none"
      if let status = answer(head.uri, key) { send(status, context) }
    }
  }

  private func send(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
    let head = HTTPResponseHead(
      version: .http1_1, status: status, headers: ["content-length": "0"])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}
