import Synchronization

/// The hub that delivers each event of a host to all readers.
final class EventHub: Sendable {
  /// The maximum number of events that wait for a reader.
  ///
  /// Beyond that, the oldest are dropped.
  static let countMax = 1_000

  private struct Readers {
    var continuations: [Int: AsyncStream<HostEvent>.Continuation] = [:]
    var nextID = 0
    var isFinished = false
  }

  private let readers = Mutex(Readers())
  // Read before the lock is taken, so that an event that nobody reads costs nothing.
  private let hasReaders = Atomic(false)

  func stream() -> AsyncStream<HostEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.countMax)) { continuation in
      let id: Int? = readers.withLock { readers in
        guard !readers.isFinished else { return nil }
        defer { readers.nextID += 1 }
        readers.continuations[readers.nextID] = continuation
        hasReaders.store(true, ordering: .relaxed)
        return readers.nextID
      }
      guard let id else {
        continuation.finish()
        return
      }
      continuation.onTermination = { [weak self] _ in
        self?.forget(id)
      }
    }
  }

  private func forget(_ id: Int) {
    readers.withLock { readers in
      readers.continuations[id] = nil
      if readers.continuations.isEmpty { hasReaders.store(false, ordering: .relaxed) }
    }
  }

  /// Delivers an event, which is made only if anyone reads.
  func publish(_ event: @autoclosure () -> HostEvent) {
    guard hasReaders.load(ordering: .relaxed) else { return }
    let listening = readers.withLock { Array($0.continuations.values) }
    let event = event()
    for continuation in listening { continuation.yield(event) }
  }

  func finish() {
    let listening = readers.withLock { readers in
      readers.isFinished = true
      hasReaders.store(false, ordering: .relaxed)
      defer { readers.continuations = [:] }
      return Array(readers.continuations.values)
    }
    for continuation in listening { continuation.finish() }
  }
}
