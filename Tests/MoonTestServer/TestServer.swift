import Glibc
import Synchronization

/// An HTTP server on 127.0.0.1, with a thread for each connection.
///
/// It ends with ``withTestServer(tls:_:)``.
package final class TestServer: StartedServer, Sendable {
  /// Answers a request, whose body isn't read yet; the connection ends if it throws.
  typealias Answerer = @Sendable (Exchange) throws(ConnectionEnd) -> Void

  private struct Contents {
    /// The descriptors of open connections.
    var open: Set<Int32> = []
    var connectionCount = 0
    var closedCount = 0
    var requests: [String] = []
    /// Whether no connection is taken any more.
    var isClosing = false
    var isListening = true
    var waits: [Int: Wait] = [:]
    var waitCount = 0
  }

  private struct Wait {
    let isDone: @Sendable (Contents) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private let contents = Mutex(Contents())
  private let listener: ListeningSocket
  private let tls: ServerTLS?
  private let greeting: RawAnswer?
  private let answerer: Answerer

  /// The port that the system has chosen.
  package var port: Int { listener.port }

  /// The methods and URLs of all requests so far.
  package var requests: [String] { contents.withLock { $0.requests } }

  /// Starts a server, which sends `greeting` before it reads a request.
  init(
    tls: ServerTLS?, greeting: RawAnswer? = nil, answerer: @escaping Answerer
  ) throws(ServerError) {
    (self.tls, self.greeting, self.answerer) = (tls, greeting, answerer)
    listener = try ListeningSocket()
    guard ServerThread.start({ self.listen() }) else {
      listener.close()
      throw .refused(call: "pthread_create", code: EAGAIN)
    }
  }

  /// Returns when so many requests have arrived.
  ///
  /// Like the other waits, it also returns when the task is cancelled.
  package func hasReceived(_ count: Int) async { await wait { $0.requests.count >= count } }

  /// Returns when so many connections have been closed.
  package func hasClosed(_ count: Int) async { await wait { $0.closedCount >= count } }

  /// Returns when no connection is open.
  package func isIdle() async { await wait { $0.connectionCount == $0.closedCount } }

  /// The number of connections that were accepted.
  package var connectionCount: Int { contents.withLock { $0.connectionCount } }

  package func close() async {
    contents.withLock { contents in
      contents.isClosing = true
      if contents.isListening { listener.shutDown() }
      // Their threads wait for the client no longer.
      for descriptor in contents.open { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    // A task of its own: the server ends even if the test was cancelled.
    await Task { await wait { !$0.isListening && $0.connectionCount == $0.closedCount } }.value
  }
}

/// What threads of the server do.
extension TestServer {
  private func listen() {
    while let descriptor = listener.accept() {
      let isWanted = contents.withLock { contents in
        if !contents.isClosing {
          contents.open.insert(descriptor)
          contents.connectionCount += 1
        }
        return !contents.isClosing
      }
      if !isWanted {
        Glibc.close(descriptor)
      } else if !ServerThread.start({ self.serve(descriptor) }) {
        release(descriptor)
      }
    }
    change {
      listener.close()
      $0.isListening = false
    }
  }

  private func serve(_ descriptor: Int32) {
    // Their error is how connections end.
    if let connection = try? Connection(descriptor, tls: tls) {
      try? converse(over: connection)
      connection.finish()
    }
    release(descriptor)
  }

  private func converse(over connection: Connection) throws(ConnectionEnd) {
    if let greeting { return try greeting.send(over: connection) }
    do throws(ConnectionEnd) {
      while let request = try connection.takeRequest() {
        let exchange = Exchange(request, connection) { self.note(request) }
        try answerer(exchange)
        // What is left of the request would be taken for the next one.
        try exchange.readWhole()
        if !request.keepsConnection { return }
      }
    } catch {
      if error == .malformed { try connection.write(Array(Self.refusal.utf8)) }
      throw error
    }
  }

  private static let refusal =
    "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

  /// Closes the descriptor of a connection.
  private func release(_ descriptor: Int32) {
    change {
      // The system gives its number to another file as soon as it is closed.
      $0.open.remove(descriptor)
      Glibc.close(descriptor)
      $0.closedCount += 1
    }
  }

  /// Records a request; returns how many like it there were.
  private func note(_ request: TestRequest) -> Int {
    let text = "\(request.method) \(request.target)"
    return change { contents in
      contents.requests.append(text)
      return contents.requests.count { $0 == text }
    }
  }

  /// Changes the contents, and lets those go on who have waited for it.
  private func change<Result: Sendable>(_ change: (inout Contents) -> Result) -> Result {
    let (result, ready) = contents.withLock { contents in
      let result = change(&contents)
      let now = contents
      contents.waits = now.waits.filter { !$1.isDone(now) }
      return (result, now.waits.values.filter { $0.isDone(now) })
    }
    for wait in ready { wait.continuation.resume() }
    return result
  }

  /// Waits until something is so, or the task is cancelled, as by the time limit of a test.
  private func wait(_ isDone: @escaping @Sendable (Contents) -> Bool) async {
    let id = contents.withLock { contents in
      contents.waitCount += 1
      return contents.waitCount
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = contents.withLock { contents in
          if Task.isCancelled || isDone(contents) { return true }
          contents.waits[id] = Wait(isDone: isDone, continuation: continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      contents.withLock { $0.waits.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}

/// Runs a body with a server that answers by paths, in all the ways that a client must bear.
///
/// See ``PathAnswers``. The server ends with the body in any case.
package func withTestServer(
  tls: ServerTLS? = nil, _ body: (TestServer) async throws -> Void
) async throws {
  try await TestServer(tls: tls, answerer: PathAnswers.answer).close(after: body)
}

/// Runs a body with a server that answers as `answer` says, or not at all to what it returns nil.
package func withTestServer(
  tls: ServerTLS? = nil, answering answer: @escaping @Sendable (TestRequest) -> TestAnswer?,
  _ body: (TestServer) async throws -> Void
) async throws {
  let answerer: TestServer.Answerer = { exchange throws(ConnectionEnd) in
    try exchange.readWhole()
    if let answer = answer(exchange.request) { try exchange.send(answer) }
  }
  try await TestServer(tls: tls, answerer: answerer).close(after: body)
}

/// Runs a body with a server that sends the same bytes to every request or connection.
package func withTestServer(
  tls: ServerTLS? = nil, answering answer: RawAnswer, _ body: (TestServer) async throws -> Void
) async throws {
  let server = try TestServer(tls: tls, greeting: answer.moment == .atOnce ? answer : nil) {
    exchange throws(ConnectionEnd) in try exchange.send(answer)
  }
  try await server.close(after: body)
}

/// Returns a port of 127.0.0.1 at which nothing listens.
package func unusedPort() async throws -> Int {
  let server = try TestServer(tls: nil, answerer: PathAnswers.answer)
  await server.close()
  return server.port
}
