package import MoonValues
import Synchronization

/// Those outside the host who follow a session's state.
///
/// They are told on the host's thread, and leave on whichever thread they end.
package final class StateReaders: Sendable {
  /// One who follows.
  package struct Reader: Sendable {
    let tell: @Sendable (Value) -> Void
    let finish: @Sendable () -> Void

    /// `tell` gets each state that was committed, `finish` is called when no more will come.
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
  // Asked at each commit, so that a session that nobody follows takes no lock.
  private let hasAny = Atomic(false)

  init() {}

  /// Adds a reader; returns the number to remove it by.
  package func add(_ reader: Reader) -> Int {
    entries.withLock { entries in
      defer { entries.nextID += 1 }
      entries.readers[entries.nextID] = reader
      hasAny.store(true, ordering: .relaxed)
      return entries.nextID
    }
  }

  /// Removes a reader; does nothing if it isn't there.
  package func remove(_ id: Int) {
    entries.withLock { entries in
      entries.readers[id] = nil
      if entries.readers.isEmpty { hasAny.store(false, ordering: .relaxed) }
    }
  }

  /// Tells all of a state.
  func tell(_ state: @autoclosure () -> Value) {
    guard hasAny.load(ordering: .relaxed) else { return }
    let readers = entries.withLock { Array($0.readers.values) }
    let state = state()
    for reader in readers { reader.tell(state) }
  }

  /// Tells all that nothing more comes.
  package func finish() {
    let readers = entries.withLock { entries in
      defer { entries.readers = [:] }
      hasAny.store(false, ordering: .relaxed)
      return Array(entries.readers.values)
    }
    for reader in readers { reader.finish() }
  }
}
