import Synchronization

/// Whether a line waits for the answer of a command, or in the Lua that it evaluates.
package final class CallInProgress: Sendable {
  private let flag = Atomic(false)

  package var isRunning: Bool { flag.load(ordering: .relaxed) }

  func begin() { flag.store(true, ordering: .relaxed) }
  func end() { flag.store(false, ordering: .relaxed) }
}
