import MoonTestServer
import Testing

@testable import MoonServices

/// `moon.http.events`: server-sent events.
@Suite(.timeLimit(.minutes(2))) struct EventStreamTests {
  /// Returns the events of a text, as `type|data|id`.
  private func events(_ parts: [String]) -> [String] {
    var parser = EventParser(lastID: "")
    return parts.flatMap { parser.read($0.utf8) ?? [] }.map { "\($0.type)|\($0.data)|\($0.id)" }
  }

  @Test(arguments: [
    ("data: a\n\n", ["message|a|"]), ("data:a\r\rdata: b\r\r", ["message|a|", "message|b|"]),
    ("data: a\r\ndata\r\ndata:  b\r\n\r\n", ["message|a\n\n b|"]), ("data: a\n", []),
    (": comment\nevent: x\n\ndata: a\n\n", ["message|a|"]), ("event: x\ndata: a\n\n", ["x|a|"]),
    ("id: 1\n\ndata: a\n\nid\ndata: b\n\n", ["message|a|1", "message|b|"]),
    ("id: a\u{0}b\ndata: a\n\n", ["message|a|"]),
    ("id: 1\n\nid: a\u{1}b\ndata: a\n\n", ["message|a|1"]), ("id: \u{7F}\ndata\n\n", ["message||"]),
    ("id: a\tb\ndata\n\n", ["message||a\tb"]),
    ("data\n\n", ["message||"]),
    ("\u{FEFF}data: a\n\n", ["message|a|"]), ("data: \u{FEFF}a\n\n", ["message|\u{FEFF}a|"]),
    ("other: x\ndata: a: b\n\n", ["message|a: b|"]), ("\n\n\n", []), ("datax: a\n\n", []),
  ])
  func `a stream is read as the standard says, however it is cut`(text: String, found: [String]) {
    #expect(events([text]) == found)
    #expect(events(text.unicodeScalars.map { String($0) }) == found)
    let bytes = Array(text.utf8)
    for cut in bytes.indices {
      var parser = EventParser(lastID: "")
      let read =
        (parser.read(bytes[..<cut]) ?? []) + (parser.read(bytes[cut...]) ?? [])
      #expect(read.map { "\($0.type)|\($0.data)|\($0.id)" } == found)
    }
  }

  @Test(arguments: [
    ("retry: 10\n", 10), ("retry: 1x\n", nil), ("retry:\n", nil), ("retry: -1\n", nil),
    ("retry: 99999999999999999999\n", Int.max),
  ])
  func `the server sets the time until the next attempt`(text: String, time: Int?) {
    var parser = EventParser(lastID: "")
    _ = parser.read(text.utf8)
    #expect(parser.retryMilliseconds == time)
    parser.restart()
    #expect(parser.retryMilliseconds == time)
  }

  @Test(arguments: [
    (nil, 1, 3_000), (0, 1, 100), (500, 1, 500), (500, 2, 1_000), (500, 100, 60_000),
    (Int.max, 5, 60_000),
  ])
  func `attempts are spread out`(wish: Int?, failures: Int, milliseconds: Int) {
    #expect(EventSource.delay(wish, failureCount: failures) == .milliseconds(milliseconds))
  }

  @Test func `an event without end is refused`() {
    var parser = EventParser(lastID: "")
    let line = Array("data: ".utf8) + Array(repeating: UInt8(ascii: "x"), count: 1 << 16)
    let results = (0..<17).map { _ in parser.read(line + [10]) == nil }
    #expect(results.last == true)
    #expect(results.first == false)
  }

  @Test func `what means nothing is counted until the next event`() {
    var parser = EventParser(lastID: "")
    #expect(parser.read("\n\n: comment\n\n".utf8)?.isEmpty == true)
    #expect(parser.bytesSinceEvent == 13)
    #expect(parser.read("data: a\n\n\n".utf8)?.count == 1)
    #expect(parser.bytesSinceEvent == 1)
  }

  @Test func `events arrive across connections, each once`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        [
          "message 1 one", "more 2 two/ lines", "message 3 three", "no more", "3",
        ],
        from: """
          for event in moon.http.events(base .. "/events") do
            tell(event.type, event.id, (event.data:gsub("\\n", "/")))
          end
          tell "no more"
          for event in moon.http.events(base .. "/events", { last_id = "2" }) do
            tell(event.id)
          end
          """, at: server.port)
      // More if a connection was cut before its last events had been read.
      #expect((5...20).contains(server.requests.count))
    }
  }

  @Test(arguments: [#"a\r\nHost: other"#, #"a\nb"#, #"a\0"#, #"a\x1f"#, #"a\x7f"#])
  func `an id that would begin another line of the request is refused`(id: String) async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["bad_header"],
        from: """
          tell(code_of(function()
            for event in moon.http.events(base .. "/events", { last_id = "\(id)" }) do end
          end))
          """, at: server.port)
      #expect(server.requests == [])
    }
  }

  @Test(arguments: [
    ("/events?type=text/plain", "", "not_an_event_stream"), ("/nothing", "", "not_an_event_stream"),
    ("/silent", ", { timeout = 0.05 }", "timed_out"),
  ])
  func `what sends no events is an error`(path: String, options: String, code: String)
    async throws
  {
    try await withTestServer { server async throws in
      try await expect(
        [code], from: "tell(code_of(moon.http.events, base .. '\(path)'\(options)))",
        at: server.port)
    }
  }

  @Test func `attempts to connect again have a limit`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["connection_lost 1", "connection_lost 1"],
        from: """
          local function read(retries)
            local count = 0
            local code = code_of(function()
              for event in moon.http.events(base .. "/cutevents", { retries = retries }) do
                count = count + 1
              end
            end)
            tell(code, count)
          end
          read(0)
          read(1)
          """, at: server.port)
      #expect(server.requests.count == 3)
    }
  }

  @Test func `a large event is an error that says so`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        [
          "event_too_large",
          "moon.http.events:next: localhost:\(server.port) sends an event of more than 1048576 bytes",
        ],
        from: """
          local done, problem = pcall(function()
            for event in moon.http.events(base .. "/largeevent") do tell(event.data) end
          end)
          tell(problem.code)
          tell((problem.reason:gsub("^moon%.http[%w_.:]+: ", "moon.http.events:next: ")))
          """, at: server.port)
    }
  }

  @Test func `leaving the loop ends the connection`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["first"],
        from: """
          for event in moon.http.events(base .. "/openevents") do
            tell(event.data)
            break
          end
          """, at: server.port)
      await server.isIdle()
    }
  }
}
