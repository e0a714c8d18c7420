package import MoonActions
import MoonSession
import MoonTasks

/// What the tasks of a session wait for, for callers that advance its clock themselves.
package struct AwaitedWork: Sendable {
  /// The number of tasks that wait for a service.
  package let operationCount: Int
  /// Whether the session has left actions or turns of tasks for the host's next turn.
  package let isBehind: Bool
  /// The number of tasks whose code, in Swift, is running and waits for nothing of the host.
  package let codeCount: Int
  /// The earliest time, on the clock's timer, at which a task has to be resumed; nil if none
  /// sleeps.
  package let deadline: Duration?

  /// Looks at the tasks of a session.
  ///
  /// - Complexity: O(tasks).
  package init(in id: SessionID, on host: isolated Host) {
    let operations = host.session(id).map { AwaitedOperations(of: $0) }
    operationCount = operations?.count ?? 0
    codeCount = operations?.codeCount ?? 0
    isBehind = host.session(id).map { $0.taskState.isBehind || $0.taskState.areReady } ?? false
    deadline = host.sessions.timer.deadlines.earliest
  }
}
