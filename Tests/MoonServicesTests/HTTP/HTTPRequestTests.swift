import Foundation
import MoonServices
import MoonTestServer
import Moonwire
import Testing

/// `moon.http`: what is sent, and what scripts get of the answer.
@Suite(.timeLimit(.minutes(2))) struct HTTPRequestTests {
  @Test func `an answer has a status, headers, a text, and the value of JSON`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        [
          "200 true true", #"application/json {"city":"Paris","degrees":21.5} 21.5"#,
          "hello nil", "1, 2 a=1 b=2", "200 0 31",
        ],
        from: """
          local answer = moon.http.get(base .. "/json")
          tell(answer.status, answer.ok, answer.url == base .. "/json")
          tell(answer.headers["content-type"], answer.text, answer.json.degrees)
          local text = moon.http.get(base .. "/text")
          tell(text.text, text.json)
          local headers = moon.http.get(base .. "/headers").headers
          tell(headers["x-twice"], table.concat(headers["set-cookie"], " "))
          local head = moon.http.head(base .. "/json")
          tell(head.status, #head.text, head.headers["content-length"])
          """, at: server.port)
    }
  }

  @Test(arguments: [
    (
      #"get(base .. "/echo?a=1#x", { query = { b = "c d&é", n = 2, list = { "x", true } } })"#,
      #"GET /echo?a=1&b=c%20d%26%C3%A9&list=x&list=true&n=2 "#
    ),
    (#"post(base .. "/echo", { body = "a\nb" })"#, "POST /echo text/plain; charset=utf-8 a\nb"),
    (
      #"post { url = base .. "/echo", json = { a = { 1, 2 } } }"#,
      #"POST /echo application/json {"a":[1,2]}"#
    ),
    (
      #"put(base .. "/echo", { form = { a = "b c", d = "&" } })"#,
      "PUT /echo application/x-www-form-urlencoded a=b+c&d=%26"
    ),
    (
      #"patch(base .. "/echo", { body = "x", headers = { ["Content-Type"] = "text/x" } })"#,
      "PATCH /echo text/x x"
    ),
    (#"delete(base .. "/echo")"#, "DELETE /echo "),
    (
      #"request(base .. "/echo", { method = "report", body = "x" })"#,
      "REPORT /echo text/plain; charset=utf-8 x"
    ),
  ])
  func `a request has the method, query and body that the script gives`(
    call: String, sent: String
  ) async throws {
    try await withTestServer { server async throws in
      let told = try await told(
        """
        local seen = moon.http.\(call).json
        tell(seen.method, seen.uri, (seen.headers["content-type"] or "") .. 
          (seen.body == "" and "" or " " .. seen.body))
        """, at: server.port)
      #expect(told == [sent])
    }
  }

  @Test func `headers are sent, also several of one name`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["secret a, 1 application/json moonwire", "true"],
        from: """
          local seen = moon.http.get(base .. "/echo",
            { headers = { ["X-Key"] = "secret", ["X-List"] = { "a", 1 } }, accept = "json" }).json
          local headers = seen.headers
          tell(headers["x-key"], headers["x-list"], headers.accept, headers["user-agent"])
          tell(headers.host == base:sub(8))
          """, at: server.port)
    }
  }

  @Test func `a status other than 200 is no error`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["404 false nothing here", "500 oops nil"],
        from: """
          local answer = moon.http.get(base .. "/nothing")
          tell(answer.status, answer.ok, answer.text)
          answer = moon.http.get(base .. "/status?code=500&type=application/json&body=oops",
            { accept = "json" })
          tell(answer.status, answer.text, answer.json)
          """, at: server.port)
    }
  }

  @Test func `compressed answers are unpacked`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["3000", "answer_too_large"],
        from: """
          tell(#moon.http.get(base .. "/gzip").text)
          tell(code_of(moon.http.get, base .. "/gzip", { max_bytes = 2999 }))
          """, at: server.port)
    }
  }

  @Test func `redirects are followed as browsers follow them`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        [
          "301 GET  /echo?at=1", "302 GET  /echo?at=1", "303 GET  /echo?at=1",
          "307 POST x /echo?at=1", "308 POST x /echo?at=1", "PUT x /echo?at=1", "302 /text",
          "too_many_redirects", "too_many_redirects",
        ],
        from: """
          local function follow(code, method)
            local answer = moon.http.request(base .. "/redirect", { method = method, body = "x",
              query = { code = code, to = "echo?at=1" } })
            return answer.json.method .. " " .. answer.json.body .. " " .. answer.url:sub(#base + 1)
          end
          for _, code in ipairs { 301, 302, 303, 307, 308 } do tell(code, follow(code, "POST")) end
          tell(follow(302, "PUT"))
          local answer = moon.http.get(base .. "/redirect?to=/text", { redirects = 0 })
          tell(answer.status, answer.headers.location)
          tell(code_of(moon.http.get, base .. "/round", { redirects = 3 }))
          tell(code_of(moon.http.get, base .. "/round"))
          """, at: server.port)
      #expect(server.requests.count { $0 == "GET /round" } == 4 + 11)
    }
  }

  @Test(arguments: ["hunter2", "Top S/cret?é", "100%25 x", "abcdef#g"])
  func `no answer and no error shows a secret of its URL`(secret: String) async throws {
    try await withTestServer { server async throws in
      let told = try await told(
        """
        local key = self.settings.key
        local function told_of(f, ...)
          local done, answer = pcall(f, ...)
          if not done then return tostring(answer) end
          return type(answer.url) == "string" and answer.url or answer:url()
        end
        tell(told_of(moon.http.get, base .. "/text?key=" .. key))
        tell(told_of(moon.http.get, base .. "/text", { query = { key = key } }))
        tell(told_of(moon.http.get, base .. "/redirect", { query = { to = "/text?k=" .. key } }))
        tell(told_of(moon.http.open, base .. "/text", { query = { key = key } }))
        tell(told_of(moon.http.get, "ftp://x/" .. ("y"):rep(67) .. key))
        tell(moon.http.get(base .. "/echo", { query = { key = key } }).json.uri)
        """, at: server.port
      ) { options in
        options.settings = SettingSource { _, _ in .init(.text(secret), from: "the test") }
      }
      #expect(told.count == 6, "\(told)")
      // What the server says about a request is its own.
      #expect(told.last.map { !$0.contains("(secret)") } == true, "\(told)")
      for text in told.dropLast() {
        #expect(!text.contains(secret) && text.contains("(secret)"), "\(text)")
        #expect(text.removingPercentEncoding?.contains(secret) != true, "\(text)")
        #expect(!text.contains(secret.prefix(4)), "\(text)")
      }
      #expect(told[0] == "http://localhost:\(server.port)/text?key=(secret)")
    }
  }

  @Test func `a redirect to another server gets no credentials`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["secret a=1 kept", "nil nil kept"],
        from: """
          local headers = { Authorization = "secret", Cookie = "a=1", ["X-Other"] = "kept" }
          local function seen(host)
            local to = base:gsub("localhost", host) .. "/echo"
            local found = moon.http.get(base .. "/redirect",
              { headers = headers, query = { to = to } }).json.headers
            tell(found.authorization, found.cookie, found["x-other"])
          end
          seen "localhost"
          seen "127.0.0.1"
          """, at: server.port)
    }
  }

  @Test func `a body is read in parts`() async throws {
    try await withTestServer { server async throws in
      try await expect(
        ["200 true", "300 nil", "true", "answer_too_large"],
        from: """
          local answer <close> = moon.http.open(base .. "/trickle?bytes=300")
          tell(answer:status(), answer:url() == base .. "/trickle?bytes=300")
          local size = 0
          for part in answer do size = size + #part end
          tell(size, answer:next())
          size = 0
          for part in moon.http.open(base .. "/endless") do
            size = size + #part
            if size > 1000000 then break end
          end
          tell(size > 1000000)
          local done, problem = pcall(function()
            for part in moon.http.open(base .. "/endless", { max_bytes = 100000 }) do end
          end)
          tell(problem.code)
          """, at: server.port)
      await server.isIdle()
    }
  }

  @Test func `a task that is cancelled ends its request`() async throws {
    try await withTestServer { server async throws in
      let bench = try await HTTPBench(
        """
        local task = moon.spawn(function() moon.http.get(base .. "/silent") end)
        moon.take "m/tell"
        task:cancel()
        tell(code_of(moon.timeout, 0.05, function() moon.http.get(base .. "/stalled") end))
        """, at: server.port)
      try await bench.start()
      await server.hasReceived(1)
      try await bench.host.dispatch(
        Action("m/tell", .map(["text": "go"])), to: bench.session)
      _ = await bench.host.waitForTasks(in: bench.session, within: .seconds(60))
      #expect(try await bench.told().count == 2)
      await server.hasClosed(2)
      await bench.host.close()
    }
  }

  @Test func `a host that closes ends its requests and connections`() async throws {
    try await withTestServer { server async throws in
      let bench = try await HTTPBench(
        """
        moon.http.get(base .. "/text")
        moon.http.get(base .. "/silent")
        """, at: server.port)
      try await bench.start()
      await server.hasReceived(2)
      await bench.host.close()
      await server.isIdle()
    }
  }

  @Test func `connections are used again`() async throws {
    try await withTestServer { server async throws in
      let told = try await told(
        """
        for i = 1, 20 do moon.http.get(base .. "/text") end
        tell "done"
        """, at: server.port)
      #expect(told == ["done"])
      #expect(server.connectionCount == 1)
    }
  }

  @Test func `many requests at a time all get their answers`() async throws {
    try await withTestServer { server async throws in
      let told = try await told(
        """
        local all = {}
        for i = 1, 200 do
          all[i] = function() return moon.http.get(base .. "/echo", { query = { n = i } }).json.uri end
        end
        local right = 0
        for i, uri in ipairs(moon.all(all)) do if uri == "/echo?n=" .. i then right = right + 1 end end
        tell(right)
        """, at: server.port)
      #expect(told == ["200"])
    }
  }

  @Test func `a prompt waits for an answer, and keeps nothing open`() async throws {
    try await withTestServer { server async throws in
      let bench = try await HTTPBench("", at: server.port)
      let url = "http://localhost:\(server.port)/echo"
      let values = try await bench.host.evaluate("moon.http.get('\(url)').ok", in: bench.session)
      #expect(values == [.value(true)])
      let refusal = try await bench.host.evaluate(
        "select(2, pcall(moon.http.open, '\(url)')).code", in: bench.session)
      #expect(refusal == [.value("not_here")])
    }
  }
}
