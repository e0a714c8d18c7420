import MoonTestServer
import Synchronization

/// A server on 127.0.0.1 that notes the idempotency keys with which it is asked for each path, is
/// busy now and then, and can hold an answer back.
struct CountingServer {
  let url: String
  private let questions: Questions

  fileprivate init(url: String, questions: Questions) {
    (self.url, self.questions) = (url, questions)
  }

  /// Returns the keys with which a path was asked for, in order.
  func keys(of path: String) -> [String] { questions.facts.withLock { $0.keys[path] ?? [] } }

  /// Doesn't answer a path any more, until the next call.
  func hold(_ path: String?) {
    questions.facts.withLock {
      $0.heldPath = path
      $0.isHolding = false
    }
  }

  /// Waits until the path is asked for that isn't answered, or the task is cancelled.
  func isAsked() async {
    let questions = questions
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = questions.facts.withLock { facts in
          let isReady = facts.isHolding || Task.isCancelled
          if !isReady { facts.waiter = continuation }
          return isReady
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      questions.facts.withLock { facts in
        defer { facts.waiter = nil }
        return facts.waiter
      }?.resume()
    }
  }
}

/// Runs a body with a server that is busy when some paths are first asked for, and ends it.
func withCountingServer(
  busyAt paths: Set<String>, _ body: (CountingServer) async throws -> Void
) async throws {
  let questions = Questions(busy: paths)
  try await withTestServer(answering: { questions.answer($0) }) { server in
    try await body(CountingServer(url: "http://localhost:\(server.port)", questions: questions))
  }
}

/// What a server was asked.
private final class Questions: Sendable {
  struct Facts {
    var keys: [String: [String]] = [:]
    /// The paths that are answered with 503 when they are first asked for.
    var busyPaths: Set<String>
    /// The path that isn't answered, unless it is busy.
    var heldPath: String?
    var waiter: CheckedContinuation<Void, Never>?
    var isHolding = false
  }

  let facts: Mutex<Facts>

  init(busy paths: Set<String>) {
    facts = Mutex(Facts(busyPaths: paths))
  }

  /// Notes a request; returns its answer, or nil if there is none.
  func answer(_ request: TestRequest) -> TestAnswer? {
    let path = request.target
    let (status, waiter) = facts.withLock { facts -> (Int?, CheckedContinuation<Void, Never>?) in
      facts.keys[path, default: []].append(request.header("idempotency-key") ?? "none")
      if facts.busyPaths.remove(path) != nil { return (503, nil) }
      guard facts.heldPath == path else { return (200, nil) }
      facts.isHolding = true
      defer { facts.waiter = nil }
      return (nil, facts.waiter)
    }
    waiter?.resume()
    return status.map { TestAnswer("", status: $0) }
  }
}
