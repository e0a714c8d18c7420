import MoonServices
import MoonTestServer
import Moonwire
import Testing

/// `moon.http.websocket`: messages in both directions.
@Suite(.timeLimit(.minutes(2))) struct WebSocketTests {
  /// Opens a socket and runs an effect that uses it.
  private func expect(
    _ expected: [String], from effect: String, at port: Int, options: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await MoonServicesTests.expect(
      expected,
      from: """
        local socket <close> = moon.http.websocket(base .. "/socket"\(options))
        \(effect)
        """, at: port, scheme: "ws", sourceLocation: sourceLocation)
  }

  @Test func `messages go both ways, as text and as bytes`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        [
          "hé false", "true true", "one message", "alive", "alive", "nil",
        ],
        from: #"""
          socket:send "hé"
          tell(socket:next())
          socket:send("\0\xff", { binary = true })
          local bytes, is_binary = socket:next()
          tell(bytes == "\0\xff", is_binary)
          socket:send "parts"
          tell((socket:next()))
          tell((socket:next()))
          socket:send "ping"
          tell((socket:next()))
          tell(socket:protocol())
          """#, at: server.port)
      await server.isIdle()
    }
  }

  @Test func `messages that nobody takes wait at the server, and none is lost`() async throws {
    try await withTestServer { server async throws in
      let told = try await told(
        """
        local sockets, message = {}, ("x"):rep(60000)
        for i = 1, 25 do
          sockets[i] = moon.http.websocket(base .. "/socket")
          for j = 1, 3 do sockets[i]:send(message) end
        end
        local most = 0
        -- All that has room arrives.
        while most < 1900000 do
          moon.sleep(0.01)
          most = math.max(most, moon.held.bytes())
        end
        tell(most <= 2 * 1024 * 1024)
        local count = 0
        for i = 1, 25 do
          for j = 1, 3 do if sockets[i]:next() == message then count = count + 1 end end
        end
        tell(count, moon.held.bytes() < 100000)
        """, at: server.port, scheme: "ws"
      ) { options in
        options.memoryQuota = 4 << 20
        options.services.append(
          Service(
            "held", "Looks.",
            functions: [
              .immediate("bytes", "The number of bytes.", returns: "integer") { call in
                .integer(call.memory.bytes)
              }
            ]))
      }
      #expect(told == ["true", "75 true"])
    }
  }

  @Test func `the loop ends when the server closes as agreed`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["a", "nil"],
        from: """
          socket:send "a"
          socket:send "leave"
          for message in socket do tell(message) end
          tell(socket:next())
          """, at: server.port)
    }
  }

  @Test(arguments: [
    ("fail", "(4001): as asked"), ("lose", "(1006): the connection was lost"),
    ("not text", "(1007): the server sent a text that isn't UTF-8"),
    ("large", "(1009): a message is larger than max_bytes"),
    ("masked", "(1002): the server broke the protocol: it sent a masked frame"),
    ("reserved", "(1002): the server broke the protocol: it sent a frame with a reserved bit set"),
    (
      "reserved ping",
      "(1002): the server broke the protocol: it sent a frame with a reserved bit set"
    ),
    ("unknown", "(1002): the server broke the protocol: it sent a frame of an unknown kind"),
  ])
  func `another end is an error that says why`(message: String, reason: String) async throws {
    try await withTestServer { server async throws in
      try await expect(
        [
          "socket_closed",
          "moon.http.socket:next: the connection is closed \(reason)", "socket_closed",
        ],
        from: """
          socket:send "\(message)"
          local done, problem = pcall(socket.next, socket)
          tell(problem.code)
          tell(problem.reason)
          tell(code_of(socket.next, socket))
          """, at: server.port, options: ", { max_bytes = 1999 }")
      await server.isIdle()
    }
  }

  @Test func `a connection that is closed with the handshake has ended for who waits`() async throws
  {
    try await withTestServer { server async throws in
      // Which comes first, the end or the client's handlers, is decided anew each time.
      try await MoonServicesTests.expect(
        ["50"],
        from: """
          local count = 0
          for i = 1, 50 do
            local socket <close> = moon.http.websocket(base .. "/socket/closed")
            local done, problem = pcall(socket.next, socket)
            if not done and problem.code == "socket_closed" then count = count + 1 end
          end
          tell(count)
          """, at: server.port, scheme: "ws")
      await server.isIdle()
    }
  }

  @Test func `messages that nobody reads wait in the connection`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["\(20 * 500 * 501 / 2)"],
        from: """
          for i = 1, 20 do socket:send "many" end
          local sum = 0
          for i = 1, 20 * 500 do sum = sum + (socket:next()) end
          tell(sum)
          """, at: server.port)
    }
  }

  @Test func `several tasks may wait for messages, and one may be cancelled`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["x", "true", "y"],
        from: """
          local first = moon.spawn(function() return (socket:next()) end)
          local second = moon.spawn(function() return (socket:next()) end)
          moon.sleep(0)
          first:cancel()
          socket:send "x"
          tell(second:await())
          tell(code_of(moon.timeout, 0.01, function() socket:next() end) ~= "done")
          socket:send "y"
          tell((socket:next()))
          """, at: server.port)
    }
  }

  @Test func `a closed socket refuses messages`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["closed"],
        from: """
          socket:close()
          tell(code_of(socket.send, socket, "x"))
          """, at: server.port)
      await server.isIdle()
    }
  }

  @Test func `a subprotocol is agreed on`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["log"], from: "tell(socket:protocol())", at: server.port,
        options: ", { protocols = { 'chat', 'log' }, headers = { ['X-A'] = 'b' } }")
    }
  }

  @Test(arguments: [
    ("base .. '/text'", "not_a_websocket"), ("base .. '/silent', { timeout = 0.05 }", "timed_out"),
    ("base .. '/unproven'", "not_a_websocket"),
    ("base .. '/garbage'", "malformed_answer"), ("(base:gsub('ws', 'http'))", "bad_url"),
    ("base .. '/socket', { protocols = { 'a\\r\\nb' } }", "bad_header"),
    ("base .. '/socket', { headers = { ['Sec-WebSocket-Key'] = 'x' } }", "bad_header"),
    ("base .. '/socket', { max_bytes = 0 }", "bad_argument"),
  ])
  func `what opens no socket is an error`(arguments: String, code: String) async throws {
    try await withTestServer { server async throws in
      try await MoonServicesTests.expect(
        [code], from: "tell(code_of(moon.http.websocket, \(arguments)))", at: server.port,
        scheme: "ws")
      await server.isIdle()
    }
  }

  @Test(arguments: [
    ("/unproven", "doesn't prove that it is one: Sec-WebSocket-Accept is wrong or missing"),
    ("/garbage", "isn't valid: it isn't HTTP"),
  ])
  func `a wrong answer is told in words`(path: String, reason: String) async throws {
    try await withTestServer { server async throws in
      try await MoonServicesTests.expect(
        ["true"],
        from: """
          local done, problem = pcall(moon.http.websocket, base .. "\(path)")
          local found = problem.reason:find("\(reason)", 1, true)
          tell(found and true or problem.reason)
          """, at: server.port, scheme: "ws")
    }
  }

  @Test(arguments: [
    ("81026869", "hi"), ("8100", ""), ("010161800162", "ab"), ("0100000080026869", "hi"),
    ("827e0080" + String(repeating: "78", count: 128), "128"),
    // Lengths in a longer form than needed, and control frames that are long or in parts.
    ("817e00026869", "1002"), ("897e0080" + String(repeating: "78", count: 128), "1002"),
    ("0900", "1002"), ("0800", "1002"),
    // Parts of no message, and a message within another.
    ("800161", "1002"), ("010161810162", "1002"), ("880103", "1002"),
    // Codes that no close frame may have.
    ("880203ed", "1002"), ("880203e7", "1002"), ("88021388", "1002"), ("88020fa1", "4001"),
    // More bytes than any message may have.
    ("827f7fffffffffffffff61", "1009"), ("827fffffffffffffffff", "1002"),
    ("827e0bb861", "1009"),
  ])
  func `frames that are cut anywhere are messages or an error`(bytes: String, expected: String)
    async throws
  {
    try await withTestServer { server async throws in
      try await expect(
        [expected],
        from: """
          for byte in ("\(bytes)"):gmatch ".." do pcall(socket.send, socket, "raw " .. byte) end
          local done, message = pcall(socket.next, socket)
          if done then tell(#message > 100 and #message or message)
          else tell((message.reason:match "%((%d+)%)")) end
          """, at: server.port, options: ", { max_bytes = 2000 }")
    }
  }

  @Test func `a ping within a message is answered, and the message goes on`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["ab", "alive"],
        from: """
          socket:send "raw 0101618900800162"
          for _ = 1, 2 do tell((socket:next())) end
          """, at: server.port)
    }
  }

  @Test(arguments: [
    "without=upgrade", "without=connection", "without=sec-websocket-accept", "status=200",
    "header=Sec-WebSocket-Extensions:%20permessage-deflate", "header=Sec-WebSocket-Protocol:%20x",
  ])
  func `a handshake that isn't one opens nothing`(query: String) async throws {
    try await withTestServer { server async throws in
      try await MoonServicesTests.expect(
        ["not_a_websocket"],
        from: #"tell(code_of(moon.http.websocket, base .. "/socket?\#(query)"))"#, at: server.port,
        scheme: "ws")
      await server.isIdle()
    }
  }

  @Test func `an effect dispatches what arrives`() async throws {
    try await withTestServer { server async throws in
      let bench = try await HTTPBench(
        """
        local socket <close> = moon.http.websocket(base .. "/socket")
        socket:send "many"
        for message in socket do
          self.dispatch("tell", { text = message })
          if message == "500" then break end
        end
        """, at: server.port, scheme: "ws")
      let told = try await bench.run()
      #expect(told == (1...500).map(String.init))
      await bench.host.close()
    }
  }
}
