import MoonServices
import Moonwire
import NIOCore
import Testing

/// What a module may reach is decided by its needs and grants, at every step of a request.
@Suite(.timeLimit(.minutes(2))) struct HTTPGrantTests {
  private static let get = "tell(code_of(moon.http.get, base .. '/text'))"

  @Test(arguments: [
    (["net:localhost"], ["net:localhost"], "done"),
    (["net:localhost"], [], "not_granted"), ([], ["net:localhost"], "not_needed"),
    (["net:*"], ["net:*"], "not_needed"), (["net:localhost"], ["net:*"], "not_granted"),
    (["net:localhost:1"], ["net:localhost"], "not_needed"),
    (["net:localhost"], ["net:localhost:1"], "not_granted"),
    (["net:127.0.0.1"], ["net:127.0.0.1"], "done"),
  ])
  func `a place must be needed and granted`(needs: [String], allowed: [String], code: String)
    async throws
  {
    try await withTestServer { server in
      #expect(
        try await told(Self.get, at: server.port, needs: needs, allowed: allowed) == [code])
      #expect(server.requests.count == (code == "done" ? 1 : 0))
    }
  }

  @Test func `all functions check the grants`() async throws {
    try await withTestServer { server in
      #expect(
        try await told(
          """
          for _, name in ipairs { "get", "head", "post", "put", "patch", "delete", "request",
            "open", "events" } do
            tell(code_of(moon.http[name], base))
          end
          tell(code_of(moon.http.websocket, (base:gsub("http", "ws"))))
          """, at: server.port, needs: [])
          == Array(repeating: "not_needed", count: 10))
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `a public name that leads to a local address is refused`() async throws {
    try await withTestServer { server in
      let network = HTTPNetwork(resolving: { _, port in
        [try? SocketAddress(ipAddress: "127.0.0.1", port: port)].compactMap { $0 }
      })
      let effect = """
        local url = "http://inside.example:\(server.port)"
        tell(code_of(moon.http.get, url .. "/text"))
        tell(code_of(moon.http.events, url .. "/events"))
        tell(code_of(moon.http.websocket, (url:gsub("http", "ws")) .. "/socket"))
        """
      #expect(
        try await told(
          effect, at: server.port, needs: ["net:*.example"], service: .http(over: network))
          == ["not_needed", "not_needed", "not_needed"])
      #expect(server.connectionCount == 0)
      #expect(
        try await told(
          effect, at: server.port, needs: ["net:*.example", "net:127.0.0.1"],
          service: .http(over: network)) == ["done", "done", "done"])
    }
  }

  @Test func `the local ones among several addresses are left out`() async throws {
    try await withTestServer { server in
      let network = HTTPNetwork(resolving: { _, port in
        ["10.0.0.1", "127.0.0.1"].compactMap { try? SocketAddress(ipAddress: $0, port: port) }
      })
      #expect(
        try await told(
          "tell(moon.http.get('http://both.example:\(server.port)/text').text)", at: server.port,
          needs: ["net:both.example", "net:127.0.0.1"], service: .http(over: network))
          == ["hello"])
    }
  }

  @Test(arguments: ["127.1", "2130706433", "0x7f.1", "0177.0.0.1"])
  func `other spellings of a local address are recognized`(host: String) async throws {
    try await withTestServer { server in
      #expect(
        try await told(
          "tell(code_of(moon.http.get, 'http://\(host):\(server.port)/text'))", at: server.port,
          needs: ["net:*", "net:\(host)"]) == ["not_needed"])
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `a redirect out of the grant is an error, and nothing is sent there`() async throws {
    try await withTestServer { outside in
      try await withTestServer { server in
        let effect = """
          local done, problem = pcall(moon.http.get, base .. "/redirect",
            { query = { to = "http://localhost:\(outside.port)/text" } })
          tell(done or problem.code)
          done, problem = pcall(moon.http.events, base .. "/redirect",
            { query = { to = "http://localhost:\(outside.port)/events" } })
          tell(done or problem.code)
          """
        #expect(
          try await told(
            effect, at: server.port, needs: ["net:localhost:\(server.port)"])
            == ["redirect_refused", "redirect_refused"])
        #expect(outside.connectionCount == 0)
        #expect(
          try await told(effect, at: server.port) == ["true", "true"])
      }
    }
  }

  @Test func `a redirect from a public name to a local one is refused`() async throws {
    try await withTestServer { server in
      let network = HTTPNetwork(resolving: { host, port in
        [try? SocketAddress(ipAddress: "127.0.0.1", port: port)].compactMap { $0 }
      })
      let told = try await told(
        """
        local url = "http://outside.example:\(server.port)"
        tell(code_of(moon.http.get, url .. "/redirect?to=http://inside.example:\(server.port)/text"))
        """, at: server.port,
        needs: ["net:outside.example", "net:inside.example:1", "net:127.0.0.1"],
        service: .http(over: network))
      #expect(told == ["redirect_refused"])
      #expect(server.requests.count == 1)
    }
  }
}
