import Foundation
import MoonTestServer
import MoonTestSupport
import Synchronization
import Testing

/// The examples that talk to a server: their sessions, piped in, print the expected output.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct ServedExamplesTests {
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
    let data = try TemporaryFolder()
    try await withExampleServer { url in
      let (output, code) = try Command.run(
        [
          "run", "--no-watch", "--allow", "net:localhost", "--allow", "storage", "--data",
          data.path,
        ]
          + Self.options(name, url, data.path) + [example.path],
        input: session.replacing("SERVER", with: url))
      #expect(output.replacing(url, with: "SERVER") == expected)
      #expect(code == 0)
    }
  }

  @Test func `an example that isn't granted its server says what grants it`() throws {
    let example = ExamplesTests.folder.appending(path: "weather")
    let (output, code) = try Command.run(["run", "--no-watch", example.path])
    #expect(output.contains("help         --allow weather=net:localhost grants it to this module"))
    #expect(code == 0)
  }
}

/// Runs a body with the URL of the server of the examples, which ends with it.
private func withExampleServer(_ body: (String) async throws -> Void) async throws {
  let calls = CallCount()
  try await withTestServer(answering: { calls.answer($0) }) { server in
    try await body("http://localhost:\(server.port)")
  }
}

/// The number of times that each path was asked for, by which the server answers.
private final class CallCount: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func answer(_ request: TestRequest) -> TestAnswer {
    let count = counts.withLock { counts in
      counts[request.target, default: 0] += 1
      return counts[request.target] ?? 0
    }
    let (status, text) = Self.answer(request, count: count)
    return TestAnswer(text, status: status)
  }

  private static func answer(_ request: TestRequest, count: Int) -> (status: Int, text: String) {
    switch request.target {
    case "/weather?city=Paris": count > 2 ? (200, #"{"degrees":21.5}"#) : (503, "busy")
    case "/weather?city=Babel": (200, "sunny")
    case "/login":
      request.text == "name=eva&password=secret" ? (200, #"{"token":"t1"}"#) : (403, "no")
    case "/users" where request.header("authorization") == "Bearer t1":
      (
        200,
        #"[{"name":"Eva","email":"eva@example.com"},{"name":"Adam","email":"adam@example.com"}]"#
      )
    case "/users": (401, "log in")
    case "/pay": (200, #"{"receipt":"r\#(count)"}"#)
    case "/reserve" where count == 1: (503, "busy")
    case "/reserve" where request.text.contains("unicorn"): (409, "sold out")
    case "/reserve", "/refund", "/ship": (200, "{}")
    default: (404, "nothing here")
    }
  }
}
