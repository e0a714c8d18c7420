import Synchronization

/// The readers outside the host that follow something, such as its events or a session's states.
///
/// They are told on the host's thread. Readers come and go on any thread.
package final class Readers<Element: Sendable>: Sendable {
  private struct Reader {
    let tell: @Sendable (Element) -> Void
    let finish: @Sendable () -> Void
  }

  private struct Entries {
    var readers: [Int: Reader] = [:]
    var nextID = 0
    var isFinished = false
  }

  private let entries = Mutex(Entries())
  // Read before the lock is taken, so that what nobody reads costs nothing.
  private let hasAny = Atomic(false)

  package init() {}

  /// Adds a reader; returns the id to remove it by, or nil if there is nothing more to read.
  ///
  /// `tell` receives each element from now on. `finish` is called after the last one.
  @discardableResult
  package func add(
    tell: @escaping @Sendable (Element) -> Void, finish: @escaping @Sendable () -> Void = {}
  ) -> Int? {
    entries.withLock { entries in
      guard !entries.isFinished else { return nil }
      defer { entries.nextID += 1 }
      entries.readers[entries.nextID] = Reader(tell: tell, finish: finish)
      hasAny.store(true, ordering: .relaxed)
      return entries.nextID
    }
  }

  /// Returns a stream of the elements from now on, of which at most `countMax` wait.
  package func stream(_ countMax: Int) -> AsyncStream<Element> {
    AsyncStream(bufferingPolicy: .bufferingNewest(countMax)) { stream in
      feed(stream) { stream.yield($0) }
    }
  }

  /// Adds a reader that feeds a stream, until either ends.
  package func feed<Fed: Sendable>(
    _ stream: AsyncStream<Fed>.Continuation, by tell: @escaping @Sendable (Element) -> Void
  ) {
    guard let id = add(tell: tell, finish: { stream.finish() }) else { return stream.finish() }
    stream.onTermination = { [weak self] _ in self?.remove(id) }
  }

  /// Removes a reader; its `finish` isn't called.
  package func remove(_ id: Int) {
    entries.withLock { entries in
      entries.readers[id] = nil
      if entries.readers.isEmpty { hasAny.store(false, ordering: .relaxed) }
    }
  }

  /// Tells all readers of an element, which is made only if anyone reads.
  package func tell(_ element: @autoclosure () -> Element) {
    guard hasAny.load(ordering: .relaxed) else { return }
    let readers = entries.withLock { Array($0.readers.values) }
    let element = element()
    for reader in readers { reader.tell(element) }
  }

  /// Finishes and removes all readers.
  package func finish() {
    let readers = entries.withLock { entries in
      entries.isFinished = true
      hasAny.store(false, ordering: .relaxed)
      defer { entries.readers = [:] }
      return Array(entries.readers.values)
    }
    for reader in readers { reader.finish() }
  }
}
