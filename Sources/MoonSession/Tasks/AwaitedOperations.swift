import MoonModules
import MoonTasks

/// The services that tasks of a session wait for.
package struct AwaitedOperations: Sendable {
  /// The number of tasks that wait for the result of a Swift function.
  package let count: Int
  /// The number of tasks whose own Swift function is running and waits for nothing of the session.
  package let codeCount: Int

  /// Looks at the tasks of a session.
  ///
  /// - Complexity: O(tasks).
  package init(of session: Session) {
    let tasks = session.begunTasks?.living.values.map { $0 } ?? []
    count = tasks.count { if case .operation? = $0.wait { true } else { false } }
    codeCount = tasks.count { task in
      if case .code? = task.wait { task.children.isEmpty } else { false }
    }
  }
}
