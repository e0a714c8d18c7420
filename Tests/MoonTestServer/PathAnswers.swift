import Foundation

/// The answers of a ``TestServer`` by the paths of the requests.
enum PathAnswers {
  private static let plain = [(name: "content-type", value: "text/plain")]
  private static let json = [(name: "content-type", value: "application/json")]
  private static let events = [(name: "content-type", value: "text/event-stream")]

  static func answer(_ exchange: Exchange) throws(ConnectionEnd) {
    let request = exchange.request
    let (path, fields) = (request.path, request.fields)
    if path == "/raw" || path.hasPrefix("/hostile/") {
      guard let answer = raw(path, fields) else { return try exchange.send(nothing) }
      return try exchange.send(answer)
    }
    let count = try exchange.readWhole()
    if request.wantsSocket, path.hasPrefix("/socket") {
      return try TestSocket(exchange).run(path, fields)
    }
    if let answer = whole(exchange.request, path, fields) { return try exchange.send(answer) }
    switch path {
    // The second time is as if the server had just closed a connection that nobody used.
    case "/second":
      if count == 2 { throw .closed }
      try exchange.send(TestAnswer("hello", headers: plain))
    case "/events": try sendEvents(to: exchange, type: fields["type"])
    default: try sendParts(to: exchange, path, fields)
    }
  }

  private static let nothing = TestAnswer("nothing here", status: 404)

  /// Returns the answer to a path whose answers are whole.
  private static func whole(
    _ request: TestRequest, _ path: String, _ fields: [String: String]
  ) -> TestAnswer? {
    let (text, type) = (fields["body"], fields["type"])
    let code = fields["code"].flatMap { Int($0) }
    return switch path {
    case "/text": TestAnswer("hello", headers: plain)
    case "/json": TestAnswer(#"{"city":"Paris","degrees":21.5}"#, headers: json)
    case "/typed": TestAnswer(text ?? "", headers: [("content-type", type ?? "")])
    case "/status":
      TestAnswer(
        text ?? "no", status: code ?? 500, headers: [("content-type", type ?? "text/plain")])
    case "/echo": echo(request)
    case "/headers":
      TestAnswer(
        "",
        headers: [
          ("x-twice", "1"), ("X-Twice", "2"), ("set-cookie", "a=1"), ("set-cookie", "b=2"),
        ])
    case "/redirect":
      TestAnswer("", status: code ?? 302, headers: [("location", fields["to"] ?? "")])
    case "/round": TestAnswer("", status: 302, headers: [("location", "/round")])
    case "/big":
      TestAnswer(String(repeating: "x", count: fields["bytes"].flatMap { Int($0) } ?? 0))
    default: nil
    }
  }

  /// Tells what was asked.
  private static func echo(_ request: TestRequest) -> TestAnswer {
    let headers = Dictionary(
      request.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" }
    )
    let told: [String: Any] = [
      "method": request.method, "uri": request.target, "headers": headers, "body": request.text,
    ]
    let bytes = (try? JSONSerialization.data(withJSONObject: told)) ?? Data()
    return TestAnswer(String(decoding: bytes, as: UTF8.self), headers: json)
  }

  /// Answers a path whose answers come in parts, or don't come.
  private static func sendParts(
    to exchange: Exchange, _ path: String, _ fields: [String: String]
  ) throws(ConnectionEnd) {
    switch path {
    case "/silent": return
    case "/never": throw .closed
    case "/endless":
      try exchange.begin()
      let part = String(repeating: "x", count: 1 << 16)
      while true { try exchange.write(part) }
    case "/trickle":
      try exchange.begin()
      let count = fields["bytes"].flatMap { Int($0) } ?? 0
      for left in (0..<max(0, count)).reversed() { try exchange.write("\((left + 1) % 10)") }
      try exchange.finish()
    case "/stalled":
      try exchange.begin()
      try exchange.write("begun")
    case "/cut":
      try exchange.send(RawAnswer("HTTP/1.1 200 OK\ncontent-length: 100\n\nbegun"))
    case "/garbage": try exchange.send(RawAnswer("this is not HTTP\n\n"))
    case "/unproven":
      try exchange.send(
        RawAnswer(
          "HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: Upgrade\n"
            + "Sec-WebSocket-Accept: d3Jvbmc=\n\n"))
    case "/gzip": try exchange.send(Compressed.answer("gzip", Compressed.gzip))
    case "/cutevents":
      try exchange.begin(events)
      if exchange.request.header("last-event-id") == nil {
        try exchange.write("retry: 1\nid: 1\ndata: first\n\n")
      }
      throw .closed
    case "/openevents":
      try exchange.begin(events)
      try exchange.write("data: first\n\n")
    case "/largeevent":
      try exchange.begin(events)
      try exchange.write("data: " + String(repeating: "x", count: 1 << 21))
    default: try exchange.send(nothing)
    }
  }

  /// Sends two events and closes, then one more, then says that there are no more.
  ///
  /// A client may lose what came just before the connection was cut. It asks for it again.
  private static func sendEvents(
    to exchange: Exchange, type: String?
  ) throws(ConnectionEnd) {
    let type = [(name: "content-type", value: type ?? "text/event-stream; charset=utf-8")]
    let second = "data: two\ndata:  lines\n\ndata: never ended"
    switch exchange.request.header("last-event-id") {
    case nil:
      try exchange.begin(type)
      try exchange.write(
        "\u{FEFF}: begin\r\nretry: 1\r\nid: 1\r\ndata: one\r\n\r\nevent: more\rid: 2\r")
      try exchange.write(second)
    case "1":
      try exchange.begin(type)
      try exchange.write("event: more\rid: 2\r" + second)
    case "2":
      try exchange.begin(type)
      try exchange.write("id: 3\ndata: three\n\n")
    default: return try exchange.send(TestAnswer("", status: 204))
    }
    throw .closed
  }

  /// Returns the bytes that `/raw?hex=` gives, or those of a ``HostileAnswer``.
  ///
  /// With `step=`, the former come byte by byte, so many milliseconds apart. With `open`, the
  /// connection stays.
  private static func raw(_ path: String, _ fields: [String: String]) -> RawAnswer? {
    guard path == "/raw" else {
      return HostileAnswer(rawValue: String(path.dropFirst("/hostile/".count)))?.answer
    }
    return RawAnswer.bytes(fromHex: fields["hex"] ?? "").map {
      RawAnswer(
        $0, pause: fields["step"].flatMap { Int($0) }.map { .milliseconds($0) },
        ending: fields["open"] == nil ? .closed : .open)
    }
  }
}
