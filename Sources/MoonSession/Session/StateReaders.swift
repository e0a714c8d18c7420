package import MoonValues
import Synchronization

/// The readers outside the host that follow a session's state.
///
/// They receive states on the host's thread. A reader can be removed on any thread.
package final class StateReaders: Sendable {
  /// A reader of states.
  package struct Reader: Sendable {
    let tell: @Sendable (Value) -> Void
    let finish: @Sendable () -> Void

    /// Makes a reader.
    ///
    /// `tell` receives each committed state. `finish` is called after the last one.
    package init(
      tell: @escaping @Sendable (Value) -> Void, finish: @escaping @Sendable () -> Void
    ) {
      self.tell = tell
      self.finish = finish
    }
  }

  private struct Entries {
    var readers: [Int: Reader] = [:]
    var nextID = 0
  }

  private let entries = Mutex(Entries())
  // Read at each commit, so that a session without readers takes no lock.
  private let hasAny = Atomic(false)

  init() {}

  /// Adds a reader; returns the id to remove it by.
  package func add(_ reader: Reader) -> Int {
    entries.withLock { entries in
      defer { entries.nextID += 1 }
      entries.readers[entries.nextID] = reader
      hasAny.store(true, ordering: .relaxed)
      return entries.nextID
    }
  }

  /// Removes a reader; does nothing if the id is unknown.
  package func remove(_ id: Int) {
    entries.withLock { entries in
      entries.readers[id] = nil
      if entries.readers.isEmpty { hasAny.store(false, ordering: .relaxed) }
    }
  }

  /// Sends a state to all readers.
  func tell(_ state: @autoclosure () -> Value) {
    guard hasAny.load(ordering: .relaxed) else { return }
    let readers = entries.withLock { Array($0.readers.values) }
    let state = state()
    for reader in readers { reader.tell(state) }
  }

  /// Finishes and removes all readers.
  package func finish() {
    let readers = entries.withLock { entries in
      defer { entries.readers = [:] }
      hasAny.store(false, ordering: .relaxed)
      return Array(entries.readers.values)
    }
    for reader in readers { reader.finish() }
  }
}
