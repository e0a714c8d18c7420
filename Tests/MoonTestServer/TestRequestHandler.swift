import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Answers the requests to a ``TestServer`` by their paths.
final class TestRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// Records a request; returns how many like it there were.
  private let note: @Sendable (HTTPRequestHead) -> Int
  private var head: HTTPRequestHead?
  private var body = ByteBuffer()

  init(_ note: @escaping @Sendable (HTTPRequestHead) -> Int) {
    self.note = note
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body.clear()
    case .body(var part): body.writeBuffer(&part)
    case .end:
      guard let head else { return }
      answer(head, note(head), context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The request was no WebSocket's; it is answered as any other.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }

  // One case for each way of answering.
  private func answer(
    _ head: HTTPRequestHead, _ count: Int, _ context: ChannelHandlerContext
  ) {
    let url = URLComponents(string: head.uri)
    let fields = Dictionary(
      (url?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    switch url?.path {
    case "/text": send(context, "hello", ["content-type": "text/plain"])
    case "/json":
      send(context, #"{"city":"Paris","degrees":21.5}"#, ["content-type": "application/json"])
    case "/typed": send(context, fields["body"] ?? "", ["content-type": fields["type"] ?? ""])
    case "/status":
      send(
        context, fields["body"] ?? "no", ["content-type": fields["type"] ?? "text/plain"],
        HTTPResponseStatus(statusCode: Int(fields["code"] ?? "") ?? 500))
    case "/echo": echo(head, context)
    case "/headers":
      let pairs = [
        ("x-twice", "1"), ("X-Twice", "2"), ("set-cookie", "a=1"), ("set-cookie", "b=2"),
      ]
      send(context, "", HTTPHeaders(pairs))
    case "/redirect":
      send(
        context, "", ["location": fields["to"] ?? ""],
        HTTPResponseStatus(statusCode: Int(fields["code"] ?? "") ?? 302))
    case "/round": send(context, "", ["location": "/round"], .found)
    case "/big": send(context, String(repeating: "x", count: Int(fields["bytes"] ?? "") ?? 0))
    case "/endless": begin(context); more(context)
    case "/trickle": begin(context); trickle(context, Int(fields["bytes"] ?? "") ?? 0)
    case "/silent": return
    case "/stalled":
      begin(context)
      write(context, "begun")
    case "/cut":
      begin(context, ["content-length": "100"])
      write(context, "begun")
      context.close(promise: nil)
    case "/second":
      // The second time is as if the server had just closed a connection that nobody used.
      if count == 2 { return context.close(promise: nil) }
      send(context, "hello", ["content-type": "text/plain"])
    case "/never": context.close(promise: nil)
    case "/garbage": raw(context, "this is not HTTP\r\n\r\n")
    case "/unproven":
      raw(
        context,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: d3Jvbmc=\r\n\r\n")
    case "/gzip":
      raw(context, bytes: Self.gzipHead + Self.gzip)
    case "/cutevents":
      begin(context, ["content-type": "text/event-stream"])
      if head.headers.first(name: "last-event-id") == nil {
        write(context, "retry: 1\nid: 1\ndata: first\n\n")
      }
      context.close(promise: nil)
    case "/openevents":
      begin(context, ["content-type": "text/event-stream"])
      write(context, "data: first\n\n")
    case "/largeevent":
      begin(context, ["content-type": "text/event-stream"])
      write(context, "data: " + String(repeating: "x", count: 1 << 21))
    case "/events": events(head, fields, context)
    default: send(context, "nothing here", [:], .notFound)
    }
  }

  private func echo(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let headers = Dictionary(
      head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    let text = String(decoding: body.readableBytesView, as: UTF8.self)
    let told: [String: Any] = [
      "method": head.method.rawValue, "uri": head.uri, "headers": headers, "body": text,
    ]
    let json = (try? JSONSerialization.data(withJSONObject: told)) ?? Data()
    send(context, String(decoding: json, as: UTF8.self), ["content-type": "application/json"])
  }

  /// Sends two events and closes, then one more, then says that there are no more.
  ///
  /// A client may lose what came just before the connection was cut. It asks for it again.
  private func events(
    _ head: HTTPRequestHead, _ fields: [String: String], _ context: ChannelHandlerContext
  ) {
    let type = ["content-type": fields["type"] ?? "text/event-stream; charset=utf-8"]
    switch head.headers.first(name: "last-event-id") {
    case nil:
      begin(context, HTTPHeaders(Array(type)))
      write(
        context, "\u{FEFF}: begin\r\nretry: 1\r\nid: 1\r\ndata: one\r\n\r\nevent: more\rid: 2\r")
      write(context, "data: two\ndata:  lines\n\ndata: never ended")
      context.close(promise: nil)
    case "1":
      begin(context, HTTPHeaders(Array(type)))
      write(context, "event: more\rid: 2\rdata: two\ndata:  lines\n\ndata: never ended")
      context.close(promise: nil)
    case "2":
      begin(context, HTTPHeaders(Array(type)))
      write(context, "id: 3\ndata: three\n\n")
      context.close(promise: nil)
    default: send(context, "", [:], .noContent)
    }
  }
}

/// The parts of answers.
extension TestRequestHandler {
  private func send(
    _ context: ChannelHandlerContext, _ text: String, _ headers: HTTPHeaders = [:],
    _ status: HTTPResponseStatus = .ok
  ) {
    var headers = headers
    // What follows such a head would be taken for the next answer.
    let mayHaveBody = status.mayHaveResponseBody
    if mayHaveBody { headers.add(name: "content-length", value: "\(text.utf8.count)") }
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if mayHaveBody, self.head?.method != .HEAD, !text.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  private func begin(_ context: ChannelHandlerContext, _ headers: HTTPHeaders = [:]) {
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
  }

  private func write(_ context: ChannelHandlerContext, _ text: String) {
    context.writeAndFlush(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
  }

  /// Sends without end, as fast as the client reads.
  private func more(_ context: ChannelHandlerContext) {
    let part = ByteBuffer(repeating: UInt8(ascii: "x"), count: 65_536)
    let loop = context.eventLoop
    let context = NIOLoopBound(context, eventLoop: loop)
    let handler = NIOLoopBound(self, eventLoop: loop)
    context.value.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part)))).whenSuccess {
      // Later: a client that reads as fast would let the calls nest until the stack ends.
      loop.execute { handler.value.more(context.value) }
    }
  }

  /// Sends byte by byte.
  private func trickle(_ context: ChannelHandlerContext, _ left: Int) {
    guard left > 0 else {
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      return
    }
    let part = ByteBuffer(string: "\(left % 10)")
    let loop = context.eventLoop
    let context = NIOLoopBound(context, eventLoop: loop)
    let handler = NIOLoopBound(self, eventLoop: loop)
    context.value.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part)))).whenSuccess {
      loop.execute { handler.value.trickle(context.value, left - 1) }
    }
  }

  private func raw(_ context: ChannelHandlerContext, _ text: String) {
    raw(context, bytes: Array(text.utf8))
  }

  /// Sends bytes around the encoder of answers, and closes the connection.
  private func raw(_ context: ChannelHandlerContext, bytes: [UInt8]) {
    let channel = context.channel
    let encoder = try? context.pipeline.syncOperations.context(
      handlerType: HTTPResponseEncoder.self)
    encoder?.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    channel.close(promise: nil)
  }

  /// 3,000 times `a`, compressed by `gzip -9n`.
  private static let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1,
    0x31, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xa0, 0xac, 0xeb, 0x5f, 0xc2, 0x1a,
    0x1e, 0x40, 0x01, 0x00, 0x00, 0xef, 0x06, 0xc8, 0x3c, 0xdc, 0x5e, 0xb8,
    0x0b, 0x00, 0x00,
  ]

  private static var gzipHead: [UInt8] {
    Array(
      """
      HTTP/1.1 200 OK\r
      content-encoding: gzip\r
      content-length: \(gzip.count)\r
      \r

      """.utf8)
  }
}
