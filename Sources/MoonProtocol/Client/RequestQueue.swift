import MoonPrompt
import Moonwire
import Synchronization

/// The requests of a client that wait, and the one that runs.
final class RequestQueue: Sendable {
  private struct Contents {
    var waiting = 0
    /// The ids of requests that wait; false for those that were cancelled.
    var ids: [String: Bool] = [:]
    var running: String?
    var interruption: LineInterruption?
    /// Whether the running request is cancelled, until it ends.
    var isCancelled = false
    var isClosed = false
  }

  /// The time after which a cancelled request that still runs is interrupted again.
  private static let interruptInterval = Duration.milliseconds(20)

  let messages: AsyncStream<Message>
  private let source: AsyncStream<Message>.Continuation
  private let contents = Mutex(Contents())

  init() { (messages, source) = AsyncStream.makeStream(of: Message.self) }

  /// Adds a line's requests.
  ///
  /// - Throws: ``ProtocolError`` if an id is in use, or too many requests wait.
  func add(_ message: Message) throws(ProtocolError) {
    let requests = message.requests
    try contents.withLock { contents throws(ProtocolError) in
      guard contents.waiting < Message.countMax else {
        throw ProtocolError(
          .tooMuch, "at most \(Message.countMax) requests may wait")
      }
      var keys: Set<String> = []
      for case let key? in requests.map(\.key) {
        guard contents.ids[key] == nil, contents.running != key, keys.insert(key).inserted else {
          throw ProtocolError(.invalidRequest, "another request with this id isn't answered yet")
        }
      }
      for key in keys { contents.ids[key] = true }
      contents.waiting += message.count
    }
    source.yield(message)
  }

  /// Notes that a message waits no longer.
  func take(_ message: Message) { contents.withLock { $0.waiting -= message.count } }

  /// Notes that a request is to run; returns false if it was cancelled.
  func begin(_ request: Request) -> Bool {
    contents.withLock { contents in
      guard !contents.isClosed else { return false }
      guard let key = request.key else { return true }
      let isWanted = contents.ids.removeValue(forKey: key) ?? true
      if isWanted { contents.running = key }
      return isWanted
    }
  }

  /// Notes that a request has ended.
  func end(_ request: Request) {
    contents.withLock { ($0.running, $0.isCancelled) = (nil, false) }
  }

  /// Cancels a request; returns false if none with this id waits or runs.
  func cancel(_ key: String) -> Bool {
    let (isFound, isRunning) = contents.withLock { contents -> (Bool, Bool) in
      if contents.ids[key] != nil {
        contents.ids[key] = false
        return (true, false)
      }
      guard contents.running == key else { return (false, false) }
      defer { contents.isCancelled = true }
      return (true, !contents.isCancelled)
    }
    if isRunning { Task { [weak self] in await self?.interruptRunning() } }
    return isFound
  }

  /// Interrupts the running request until it ends, since its code or its wait may begin only now.
  private func interruptRunning() async {
    while true {
      let (isCancelled, running) = contents.withLock { ($0.isCancelled, $0.interruption) }
      guard isCancelled else { return }
      running?.interrupt()
      try? await Task.sleep(for: Self.interruptInterval)
    }
  }

  /// Runs what ``cancel(_:)`` interrupts.
  func interruptible<R: Sendable, E: Error>(
    _ interruption: LineInterruption, _ body: () async throws(E) -> R
  ) async throws(E) -> R {
    await interruption.begin()
    contents.withLock { $0.interruption = interruption }
    defer { contents.withLock { $0.interruption = nil } }
    return try await body()
  }

  /// Takes no more requests.
  func finish() { source.finish() }

  /// Drops what waits, and ends the wait of what runs.
  func close() {
    source.finish()
    let running = contents.withLock { contents in
      contents.isClosed = true
      return contents.interruption
    }
    running?.cancelWait()
  }
}

extension Message {
  /// The number of requests, including those that can't be carried out.
  fileprivate var count: Int {
    switch self {
    case .single: 1
    case .batch(let batch): batch.count
    }
  }

  /// The requests that can be carried out.
  fileprivate var requests: [Request] {
    switch self {
    case .single(let request, _): [try? request.get()].compactMap(\.self)
    case .batch(let batch): batch.compactMap { try? $0.request.get() }
    }
  }
}
