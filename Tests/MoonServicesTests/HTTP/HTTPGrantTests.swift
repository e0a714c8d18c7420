import MoonServices
import MoonTestServer
import Moonwire
import Testing

/// What a module may reach is decided by its needs and grants, at every step of a request.
@Suite(.timeLimit(.minutes(2))) struct HTTPGrantTests {
  private static let get = "tell(code_of(moon.http.get, base .. '/text'))"

  @Test(arguments: [
    (["net:localhost"], [], "done"), ([], [], "not_needed"), (["net:*"], [], "not_needed"),
    (["net:localhost:1"], [], "not_needed"), (["net:127.0.0.1"], [], "done"),
    (["net:localhost"], ["net:*:1"], "done"), (["net:localhost"], ["net:*:PORT"], "denied"),
  ])
  func `a place must be needed and not denied`(needs: [String], denied: [String], code: String)
    async throws
  {
    try await withTestServer { server async throws in
      try await expect([code], from: Self.get, at: server.port, needs: needs) {
        $0.grants.denied = denied.compactMap {
          try? Scope(parsing: $0.replacing("PORT", with: "\(server.port)"))
        }.map { Grants.Rule($0) }
      }
      #expect(server.requests.count == (code == "done" ? 1 : 0))
    }
  }

  @Test func `all functions check the grants`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        Array(repeating: "not_needed", count: 10),
        from: """
          for _, name in ipairs { "get", "head", "post", "put", "patch", "delete", "request",
            "open", "events" } do
            tell(code_of(moon.http[name], base))
          end
          tell(code_of(moon.http.websocket, (base:gsub("http", "ws"))))
          """, at: server.port, needs: [])
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `a name that one module has reached must be needed by others as well`() async throws {
    try await withTestServer { server async throws in
      let network = HTTPNetwork(resolving: { _, port in
        [SocketAddress("127.0.0.1", port: port)].compactMap { $0 }
      })
      let effect = "tell(code_of(moon.http.get, 'http://known.example:\(server.port)/text'))"
      for (needs, code) in [
        (["net:known.example", "net:localhost"], "done"), (["net:localhost"], "not_needed"),
      ] {
        try await expect(
          [code], from: effect, at: server.port, needs: needs, service: .http(over: network))
      }
    }
  }

  @Test func `a connection that is used again is checked as well`() async throws {
    try await withTestServer { server async throws in
      let network = HTTPNetwork(resolving: { _, port in
        [SocketAddress("127.0.0.1", port: port)].compactMap { $0 }
      })
      let service = Service.http(over: network)
      let effect = "tell(code_of(moon.http.get, 'http://known.example:\(server.port)/text'))"
      let first = try await HTTPBench(
        effect, at: server.port, needs: ["net:known.example", "net:127.0.0.1"], service: service)
      #expect(try await first.run() == ["done"])
      // The same module, as after a change of what it needs.
      try await expect(
        ["not_needed"], from: effect, at: server.port, needs: ["net:known.example"],
        service: service)
      #expect(server.requests.count == 1)
      await first.host.close()
    }
  }

  @Test func `a public name that leads to a local address is refused`() async throws {
    try await withTestServer { server async throws in
      let network = HTTPNetwork(resolving: { _, port in
        [SocketAddress("127.0.0.1", port: port)].compactMap { $0 }
      })
      let effect = """
        local url = "http://inside.example:\(server.port)"
        tell(code_of(moon.http.get, url .. "/text"))
        tell(code_of(moon.http.events, url .. "/events"))
        tell(code_of(moon.http.websocket, (url:gsub("http", "ws")) .. "/socket"))
        """
      try await expect(
        ["not_needed", "not_needed", "not_needed"], from: effect, at: server.port,
        needs: ["net:*.example"], service: .http(over: network))
      #expect(server.connectionCount == 0)
      try await expect(
        ["done", "done", "done"], from: effect, at: server.port,
        needs: ["net:*.example", "net:127.0.0.1"],
        service: .http(over: network))
    }
  }

  @Test func `the local ones among several addresses are left out`() async throws {
    try await withTestServer { server async throws in
      let network = HTTPNetwork(resolving: { _, port in
        ["10.0.0.1", "127.0.0.1"].compactMap { SocketAddress($0, port: port) }
      })
      try await expect(
        ["hello"], from: "tell(moon.http.get('http://both.example:\(server.port)/text').text)",
        at: server.port,
        needs: ["net:both.example", "net:127.0.0.1"], service: .http(over: network))
    }
  }

  @Test(arguments: ["127.1", "2130706433", "0x7f.1", "0177.0.0.1"])
  func `other spellings of a local address are recognized`(host: String) async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["not_needed"], from: "tell(code_of(moon.http.get, 'http://\(host):\(server.port)/text'))",
        at: server.port,
        needs: ["net:*", "net:\(host)"])
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `a redirect out of the grant is an error, and nothing is sent there`() async throws {
    try await withTestServer { outside async throws in
      try await withTestServer { server async throws in
        let effect = """
          local done, problem = pcall(moon.http.get, base .. "/redirect",
            { query = { to = "http://localhost:\(outside.port)/text" } })
          tell(done or problem.code)
          done, problem = pcall(moon.http.events, base .. "/redirect",
            { query = { to = "http://localhost:\(outside.port)/events" } })
          tell(done or problem.code)
          """
        try await expect(
          ["redirect_refused", "redirect_refused"], from: effect, at: server.port,
          needs: ["net:localhost:\(server.port)"])
        #expect(outside.connectionCount == 0)
        try await expect(
          ["true", "true"], from: effect, at: server.port)
      }
    }
  }

  @Test func `a redirect from a public name to a local one is refused`() async throws {
    try await withTestServer { server async throws in
      let network = HTTPNetwork(resolving: { host, port in
        [SocketAddress("127.0.0.1", port: port)].compactMap { $0 }
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
