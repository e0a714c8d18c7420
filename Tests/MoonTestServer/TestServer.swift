import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import NIOWebSocket
import Synchronization

/// An HTTP server on 127.0.0.1 that answers in all the ways that a client must bear.
///
/// It ends with ``withTestServer(tls:_:)``.
package final class TestServer: StartedServer, Sendable {
  private struct Contents {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var closedCount = 0
    var requests: [String] = []
    var waiting: [(isDone: @Sendable (Contents) -> Bool, CheckedContinuation<Void, Never>)] = []
  }

  private let contents = Mutex(Contents())
  private let listener: any Channel

  /// The port that the system has chosen.
  package var port: Int { listener.localAddress?.port ?? 0 }

  /// The methods and URLs of all requests so far.
  package var requests: [String] { contents.withLock { $0.requests } }

  fileprivate init(tls: NIOSSLContext?) async throws {
    let notes = AcceptedChannels()
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        notes.server?.accepted(channel)
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        }.flatMap {
          Self.configure(channel) { notes.server?.note($0) ?? 0 }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    notes.serve(self)
  }

  private static func configure(
    _ channel: any Channel, _ note: @escaping @Sendable (HTTPRequestHead) -> Int
  ) -> EventLoopFuture<Void> {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, head in
        _ = note(head)
        let isSocket = head.uri.hasPrefix("/socket")
        let chosen = head.headers["sec-websocket-protocol"].first?.split(separator: ",").last
        let headers: HTTPHeaders =
          chosen.map { ["Sec-WebSocket-Protocol": String($0.drop { $0 == " " })] } ?? [:]
        return channel.eventLoop.makeSucceededFuture(isSocket ? headers : nil)
      },
      upgradePipelineHandler: { channel, head in
        if head.uri.hasPrefix("/socket/closed") { channel.close(promise: nil) }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(TestSocketHandler())
        }
      })
    return channel.eventLoop.makeCompletedFuture {
      let handler = TestRequestHandler(note)
      let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
      try channel.pipeline.syncOperations.configureHTTPServerPipeline(
        withServerUpgrade: (
          upgraders: [upgrader],
          completionHandler: {
            $0.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
          }
        ))
      try channel.pipeline.syncOperations.addHandler(handler)
    }
  }

  fileprivate func accepted(_ channel: any Channel) {
    contents.withLock { $0.channels[ObjectIdentifier(channel)] = channel }
    channel.closeFuture.whenComplete { _ in
      self.change {
        $0.channels[ObjectIdentifier(channel)] = nil
        $0.closedCount += 1
      }
    }
  }

  /// Records a request; returns how many like it there were.
  fileprivate func note(_ head: HTTPRequestHead) -> Int {
    let text = "\(head.method) \(head.uri)"
    change { $0.requests.append(text) }
    return requests.count { $0 == text }
  }

  private func change(_ change: (inout Contents) -> Void) {
    let ready = contents.withLock { contents in
      change(&contents)
      let now = contents
      contents.waiting.removeAll { $0.isDone(now) }
      return now.waiting.filter { $0.isDone(now) }.map { $0.1 }
    }
    for continuation in ready { continuation.resume() }
  }

  private func wait(_ isDone: @escaping @Sendable (Contents) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReady = contents.withLock { contents in
        if !isDone(contents) { contents.waiting.append((isDone, continuation)) }
        return isDone(contents)
      }
      if isReady { continuation.resume() }
    }
  }

  /// Returns when so many requests have arrived.
  package func hasReceived(_ count: Int) async { await wait { $0.requests.count >= count } }

  /// Returns when so many connections have been closed.
  package func hasClosed(_ count: Int) async { await wait { $0.closedCount >= count } }

  /// Returns when no connection is open.
  package func isIdle() async { await wait { $0.channels.isEmpty } }

  /// The number of connections that were accepted.
  package var connectionCount: Int { contents.withLock { $0.channels.count + $0.closedCount } }

  package func close() async {
    try? await listener.close().get()
    let channels = contents.withLock { Array($0.channels.values) }
    for channel in channels { channel.close(promise: nil) }
    await isIdle()
  }
}

/// Runs a body with a server, which ends with it in any case.
package func withTestServer(
  tls: NIOSSLContext? = nil, _ body: (TestServer) async throws -> Void
) async throws {
  try await TestServer(tls: tls).close(after: body)
}

/// Returns a port of 127.0.0.1 at which nothing listens.
package func unusedPort() async throws -> Int {
  var port = 0
  try await withTestServer { port = $0.port }
  return port
}

/// The way from the accepted connections to their server, which is made after them.
private final class AcceptedChannels: Sendable {
  private let contents = Mutex<TestServer?>(nil)

  var server: TestServer? { contents.withLock { $0 } }

  func serve(_ server: TestServer) { contents.withLock { $0 = server } }
}
