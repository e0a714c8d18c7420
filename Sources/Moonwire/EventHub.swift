import Synchronization

/// The hub that delivers each event of a host to all readers.
package final class EventHub: Sendable {
  /// The maximum number of events that wait for a reader of the stream.
  ///
  /// Beyond that, the oldest are dropped.
  static let countMax = 1_000

  private struct Reader {
    let tell: @Sendable (HostEvent) -> Void
    let finish: @Sendable () -> Void
  }

  private struct Readers {
    var all: [Int: Reader] = [:]
    var nextID = 0
    var isFinished = false
  }

  private let readers = Mutex(Readers())
  // Read before the lock is taken, so that an event that nobody reads costs nothing.
  private let hasReaders = Atomic(false)

  package init() {}

  func stream() -> AsyncStream<HostEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.countMax)) { continuation in
      let reader = Reader(
        tell: { continuation.yield($0) }, finish: { continuation.finish() })
      guard let id = add(reader) else {
        continuation.finish()
        return
      }
      continuation.onTermination = { [weak self] _ in
        self?.forget(id)
      }
    }
  }

  /// Calls a function with each event from now on.
  func deliver(to receive: @escaping @Sendable (HostEvent) -> Void) {
    _ = add(Reader(tell: receive, finish: {}))
  }

  /// Adds a reader; returns its id, or nil if there are no more events.
  private func add(_ reader: Reader) -> Int? {
    readers.withLock { readers in
      guard !readers.isFinished else { return nil }
      defer { readers.nextID += 1 }
      readers.all[readers.nextID] = reader
      hasReaders.store(true, ordering: .relaxed)
      return readers.nextID
    }
  }

  private func forget(_ id: Int) {
    readers.withLock { readers in
      readers.all[id] = nil
      if readers.all.isEmpty { hasReaders.store(false, ordering: .relaxed) }
    }
  }

  /// Delivers an event, which is made only if anyone reads.
  package func publish(_ event: @autoclosure () -> HostEvent) {
    guard hasReaders.load(ordering: .relaxed) else { return }
    let listening = readers.withLock { Array($0.all.values) }
    let event = event()
    for reader in listening { reader.tell(event) }
  }

  func finish() {
    let listening = readers.withLock { readers in
      readers.isFinished = true
      hasReaders.store(false, ordering: .relaxed)
      defer { readers.all = [:] }
      return Array(readers.all.values)
    }
    for reader in listening { reader.finish() }
  }
}
