import Foundation
import MoonTestSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// The examples that talk to a server: their sessions, piped in, print the expected output.
///
/// One at a time: each blocks a thread of the pool that its server needs.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(2))) struct ServedExamplesTests {
  /// The options that an example needs beside the others, for a server and a data directory.
  private static func options(_ name: String, _ url: String, _ data: String) -> [String] {
    switch name {
    case "orders":
      [
        "--journal", "\(data)/journal", "--set", "orders.shop=\(url)", "--set", "orders.pause=0.05",
        "--set", "orders.delay=0.05",
      ]
    case "weather": ["--set", "weather.server=\(url)"]
    default: []
    }
  }

  @Test(arguments: ["orders", "users", "weather"])
  func `a session with a server prints what is expected`(name: String) async throws {
    let example = ExamplesTests.folder.appending(path: name)
    let expected = try String(contentsOf: example.appending(path: "expected.txt"), encoding: .utf8)
    let session = try String(contentsOf: example.appending(path: "session.txt"), encoding: .utf8)
    let server = try await ExampleServer()
    let url = server.url
    let data = try TemporaryFolder()
    let result = Result {
      try Command.run(
        [
          "run", "--no-watch", "--allow", "net:localhost", "--allow", "storage", "--data",
          data.path,
        ]
          + Self.options(name, url, data.path) + [example.path],
        input: session.replacing("SERVER", with: url))
    }
    await server.close()
    let (output, code) = try result.get()
    #expect(output.replacing(url, with: "SERVER") == expected)
    #expect(code == 0)
  }

  @Test func `an example that isn't granted its server says what grants it`() throws {
    let example = ExamplesTests.folder.appending(path: "weather")
    let (output, code) = try Command.run(["run", "--no-watch", example.path])
    #expect(output.contains("help         --allow weather=net:localhost grants it to this module"))
    #expect(code == 0)
  }
}

/// The server of the examples, on 127.0.0.1.
private final class ExampleServer: Sendable {
  private let listener: any Channel

  init() async throws {
    let calls = CallCount()
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(ExampleHandler(calls))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  var url: String { "http://localhost:\(listener.localAddress?.port ?? 0)" }

  func close() async { try? await listener.close().get() }
}

/// The number of times that each path was asked for.
private actor CallCount {
  private var counts: [String: Int] = [:]

  func next(_ path: String) -> Int {
    counts[path, default: 0] += 1
    return counts[path, default: 0]
  }
}

private final class ExampleHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let calls: CallCount
  private var head: HTTPRequestHead?
  private var body = ""

  init(_ calls: CallCount) {
    self.calls = calls
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = ""
    case .body(let part): body += String(buffer: part)
    case .end:
      guard let head else { return }
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      context.eventLoop.makeFutureWithTask { [calls, body] in
        Self.answer(head, body, count: await calls.next(head.uri))
      }.whenSuccess { status, text in
        bound.value.0.send(status, text, bound.value.1)
      }
    }
  }

  private static func answer(
    _ head: HTTPRequestHead, _ body: String, count: Int
  ) -> (HTTPResponseStatus, String) {
    switch head.uri {
    case "/weather?city=Paris":
      count > 2 ? (.ok, #"{"degrees":21.5}"#) : (.serviceUnavailable, "busy")
    case "/weather?city=Babel": (.ok, "sunny")
    case "/login":
      body == "name=eva&password=secret" ? (.ok, #"{"token":"t1"}"#) : (.forbidden, "no")
    case "/users" where head.headers.first(name: "authorization") == "Bearer t1":
      (
        .ok,
        #"[{"name":"Eva","email":"eva@example.com"},{"name":"Adam","email":"adam@example.com"}]"#
      )
    case "/users": (.unauthorized, "log in")
    case "/pay": (.ok, #"{"receipt":"r\#(count)"}"#)
    case "/reserve" where count == 1: (.serviceUnavailable, "busy")
    case "/reserve" where body.contains("unicorn"): (.conflict, "sold out")
    case "/reserve", "/refund", "/ship": (.ok, "{}")
    default: (.notFound, "nothing here")
    }
  }

  private func send(
    _ status: HTTPResponseStatus, _ text: String, _ context: ChannelHandlerContext
  ) {
    let head = HTTPResponseHead(
      version: .http1_1, status: status, headers: ["content-length": "\(text.utf8.count)"])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}
