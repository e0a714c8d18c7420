import MoonModules
import MoonTasks

/// The services that tasks of a session wait for.
package struct AwaitedOperations: Sendable {
  /// The number of tasks that wait for the result of a Swift function.
  package let count: Int

  /// Looks at the tasks of a session.
  ///
  /// - Complexity: O(tasks).
  package init(of session: Session) {
    count =
      session.begunTasks?.living.values.count {
        if case .operation? = $0.wait { true } else { false }
      } ?? 0
  }
}
