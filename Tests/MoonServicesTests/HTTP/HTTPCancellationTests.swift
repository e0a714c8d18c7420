import Dispatch
import MoonTestServer
import Moonwire
import Testing

@testable import MoonServices

/// Requests that are cancelled, or whose time passes, at each of their steps.
@Suite(.timeLimit(.minutes(2))) struct HTTPCancellationTests {
  @Test(arguments: ["/silent", "/stalled", "/trickle?bytes=100000"])
  func `a request that is cancelled before the head or in the body ends its connection`(
    path: String
  ) async throws {
    try await withTestServer { server async throws in
      let bench = try await HTTPBench(
        """
        local task = moon.spawn(function() moon.http.get(base .. "\(path)") end)
        moon.take "m/tell"
        task:cancel()
        tell(moon.http.get(base .. "/text").text)
        """, at: server.port)
      try await bench.start()
      await server.hasReceived(1)
      try await bench.host.dispatch(Action("m/tell", .map(["text": "go"])), to: bench.session)
      _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
      #expect(try await bench.told() == ["go", "hello"])
      await server.hasClosed(1)
      await bench.host.close()
    }
  }

  @Test func `requests that are cancelled while they wait for a connection are never sent`()
    async throws
  {
    try await withTestServer { server async throws in
      let bench = try await HTTPBench(
        """
        local all = {}
        for i = 1, 40 do
          all[i] = moon.spawn(function() moon.http.get(base .. "/silent?number=" .. i) end)
        end
        for number in moon.take "m/tell".payload.text:gmatch "%d+" do
          all[tonumber(number)]:cancel()
        end
        for i = 1, 40 do all[i]:cancel() end
        tell(moon.http.get(base .. "/text").text)
        """, at: server.port)
      try await bench.start()
      await server.hasReceived(32)
      let sent = Set(server.requests)
      // Which requests wait isn't said by their order. They go first, since each connection that
      // ends makes room for one of them.
      let waiting = (1...40).filter { !sent.contains("GET /silent?number=\($0)") }
      #expect(waiting.count == 8)
      let numbers = waiting.map(String.init).joined(separator: " ")
      try await bench.host.dispatch(
        Action("m/tell", .map(["text": .string(Text(numbers))])), to: bench.session)
      _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
      #expect(try await bench.told() == [numbers, "hello"])
      #expect(Set(server.requests) == sent.union(["GET /text"]))
      await bench.host.close()
    }
  }

  @Test func `the time of a request passes while its name is looked up`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let network = HTTPNetwork(resolving: { host, _ throws(HTTPFailure) in
      gate.wait()
      throw .nameNotFound(host)
    })
    defer { for _ in 0..<2 { gate.signal() } }
    try await expect(
      ["timed_out", "timed_out"],
      from: """
        tell(code_of(moon.http.get, "http://slow.example/", { timeout = 0.05 }))
        tell(code_of(moon.http.open, "http://slow.example/", { timeout = 0.05 }))
        """, at: 1, needs: ["net:slow.example"], service: .http(over: network))
  }

  @Test
  func `names that never answer keep no threads of other modules' names, and none of Swift's`()
    async throws
  {
    let gate = DispatchSemaphore(value: 0)
    let names = NameLookup { host, _ throws(HTTPFailure) in
      if host == "slow.example" { gate.wait() }
      throw .nameNotFound(host)
    }
    @Sendable func lookUp(_ host: String, for module: String) async -> String {
      do {
        _ = try await names.lookUp(host, port: 80, for: ModuleName(module)) { _ in }
        return "found"
      } catch {
        return "\(error)"
      }
    }
    let hanging = (0..<100).map { _ in Task { await lookUp("slow.example", for: "greedy") } }
    #expect(await lookUp("fast.example", for: "polite").contains("fast.example"))
    for task in hanging { task.cancel() }
    for task in hanging { _ = await task.value }
    #expect(await lookUp("fast.example", for: "polite").contains("fast.example"))
    for _ in hanging { gate.signal() }
  }

  @Test(arguments: ["read_timeout = 0.05, timeout = 20", "read_timeout = 20, timeout = 0.05"])
  func `the time of a read or of the whole passes, whichever is shorter`(options: String)
    async throws
  {
    try await withTestServer { server async throws in
      let phase = options.hasPrefix("read_timeout = 0.05") ? "sent nothing more" : "didn't answer"
      try await expect(
        ["true", "true"],
        from: """
          for _, path in ipairs { "/silent", "/stalled" } do
            local _, problem = pcall(moon.http.get, base .. path, { \(options) })
            tell(problem.reason:find("\(phase)", 1, true) ~= nil)
          end
          """, at: server.port)
    }
  }

  @Test func `a large body is sent and read whole`() async throws {
    try await withTestServer { server async throws in
      let told = try await told(
        """
        local list = {}
        for i = 1, 200 do list[i] = ("item " .. i .. " "):rep(200) end
        local answer = moon.http.post(base .. "/echo", { json = list })
        tell(answer.ok, #answer.text > 200000, answer.json ~= nil)
        """, at: server.port)
      #expect(told == ["true true true"])
    }
  }
}
