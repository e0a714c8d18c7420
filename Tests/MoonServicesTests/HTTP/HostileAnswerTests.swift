import MoonServices
import MoonTestServer
import MoonTestSupport
import Moonwire
import Testing

/// What servers send that is rare, wrong or without end: each is an answer or an error with a code,
/// and the host goes on.
@Suite(.timeLimit(.minutes(2))) struct HostileAnswerTests {
  /// What a request is told: the body, or the code of the error.
  private static let outcomes: [HostileAnswer: Set<String>] = [
    .foldedHeader: ["hello one two three"],
    .deflate: [letters], .bareDeflate: [letters], .gzipInChunks: [letters],
    .chunkExtension: ["hello"], .trailer: ["hello"], .endedByClose: ["hello"],
    .bareLineEnds: ["hello"], .oldVersion: ["hello"], .emptyReason: ["hello"],
    .twoEqualLengths: ["hello"], .continueFirst: ["hello"], .earlyHints: ["hello"],
    .manyHints: ["hello"], .slowHead: ["hello"], .slowBody: [String(repeating: "x", count: 50)],
    .early: ["hello"], .bodyOfNoContent: [""], .secondAnswer: ["hello"], .tooLong: ["hello"],
    .status600: ["hello"], .status999: ["hello"], .notUTF8Header: ["hello"],
    .chunkLongerThanSize: ["malformed_answer", "connection_lost"],
    .gzipBomb: ["answer_too_large"], .deflateBomb: ["answer_too_large"],
    .endlessBody: ["answer_too_large"],
    .endlessChunkLine: ["timed_out"], .stalledHead: ["timed_out"], .stalledBody: ["timed_out"],
    .cutHead: ["connection_lost"], .nothing: ["connection_lost"], .reset: ["connection_lost"],
    .tooShort: ["connection_lost"], .cutChunk: ["connection_lost"],
    .noLastChunk: ["connection_lost"], .resetInBody: ["connection_lost"],
  ]
  private static let letters = String(repeating: "a", count: 3_000)

  @Test(arguments: HostileAnswer.allCases)
  func `a rare, wrong or endless answer is the text or an error with a code`(
    answer: HostileAnswer
  ) async throws {
    try await withTestServer { server async throws in
      let seconds = Self.outcomes[answer] == ["timed_out"] ? 0.2 : 60
      let told = try await told(
        """
        local done, answer = pcall(moon.http.get, base .. "/hostile/\(answer.rawValue)",
          { timeout = \(seconds), max_bytes = 100000 })
        tell(done and answer.text .. (answer.headers["x-folded"] and " " .. answer.headers["x-folded"] or "")
          or answer.code)
        tell(moon.http.get(base .. "/text").text)
        """, at: server.port)
      if answer == .cutGzip {
        // libcurl takes the end of the body for that of what is compressed.
        #expect(Self.letters.hasPrefix(told.first ?? "-"))
        return
      }
      let expected = Self.outcomes[answer] ?? ["malformed_answer"]
      #expect(expected.contains(told.first ?? ""), "\(told)")
      #expect(told.last == "hello")
    }
  }

  @Test(.ownThread)
  func `a server that speaks HTTP/2 only is understood, also by many requests at once`()
    async throws
  {
    let certificate = try TestCertificate.localhost
    try await withHTTP2Server(files: ["a.txt": "hello"], certificate: certificate) { server in
      try await expect(
        ["hello", "50", "404"],
        from: """
          tell(moon.http.get(base .. "/a.txt").text)
          local all, count = {}, 0
          for i = 1, 50 do all[i] = function()
            if moon.http.get(base .. "/a.txt").text == "hello" then count = count + 1 end
          end end
          moon.all(all)
          tell(count)
          tell(moon.http.get(base .. "/none").status)
          """, at: server.port, scheme: "https",
        service: .http(over: HTTPNetwork(trusting: .only(pem: certificate.pem))))
    }
  }
}
