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
    var work: Work?
    /// Whether the running request is cancelled, until it ends.
    var isCancelled = false
    var isClosed = false
  }

  /// The time after which a cancelled request that still runs is interrupted again.
  private static let interruptInterval = Duration.milliseconds(20)

  /// The time after which code of a client that has gone is ended.
  ///
  /// All other code has ended by then, so that nobody else's is.
  private static let abandonInterval = Budgets.loading

  /// What the running request does that can be ended.
  private enum Work {
    case line(LineInterruption)
    case task(@Sendable () -> Void)

    /// Ends it as Ctrl-C does.
    func interrupt() {
      switch self {
      case .line(let line): line.interrupt()
      case .task(let cancel): cancel()
      }
    }
  }

  let messages: AsyncStream<Message>
  private let source: AsyncStream<Message>.Continuation
  private let contents = Mutex(Contents())

  init() { (messages, source) = AsyncStream.makeStream(of: Message.self) }

  /// Takes in the ids of a line's requests, which can be cancelled from now on.
  ///
  /// - Throws: ``ProtocolError`` if an id is in use, or too many requests wait.
  func register(_ message: Message) throws(ProtocolError) {
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
  }

  /// Adds a line's requests, whose ids were taken in.
  func add(_ message: Message) { source.yield(message) }

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
      let (isCancelled, work) = contents.withLock { ($0.isCancelled, $0.work) }
      guard isCancelled else { return }
      work?.interrupt()
      try? await Task.sleep(for: Self.interruptInterval)
    }
  }

  /// Runs what ``cancel(_:)`` interrupts.
  func interruptible<R: Sendable, E: Error>(
    _ interruption: LineInterruption, _ body: () async throws(E) -> R
  ) async throws(E) -> R {
    await interruption.begin()
    contents.withLock { $0.work = .line(interruption) }
    defer { contents.withLock { $0.work = nil } }
    return try await body()
  }

  /// Runs what ``cancel(_:)`` and ``close()`` cancel.
  func cancellable<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> R {
    let task = Task { await body() }
    let isClosed = contents.withLock { contents in
      contents.work = .task { task.cancel() }
      return contents.isClosed
    }
    if isClosed { task.cancel() }
    defer { contents.withLock { $0.work = nil } }
    return await task.value
  }

  /// Takes no more requests.
  func finish() { source.finish() }

  /// Drops what waits, and ends the wait of what runs, and its Lua; a dispatch is finished.
  func close() {
    source.finish()
    let work = contents.withLock { contents in
      contents.isClosed = true
      return contents.work
    }
    switch work {
    case .line(let line)?:
      line.cancelWait()
      Task { await self.endAbandoned() }
    case .task(let cancel)?: cancel()
    case nil: break
    }
  }

  /// Ends what runs for a client that has gone, should it not end by itself.
  private func endAbandoned() async {
    while true {
      try? await Task.sleep(for: Self.abandonInterval)
      guard case .line(let line)? = contents.withLock({ $0.work }) else { return }
      line.interruptCall()
    }
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
