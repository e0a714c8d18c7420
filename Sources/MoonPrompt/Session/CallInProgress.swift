import Synchronization

/// Whether a line calls a command and waits for its answer.
package final class CallInProgress: Sendable {
  private let flag = Atomic(false)

  package var isRunning: Bool { flag.load(ordering: .relaxed) }

  func begin() { flag.store(true, ordering: .relaxed) }
  func end() { flag.store(false, ordering: .relaxed) }
}
