package import MoonModules
package import MoonServiceKit
import MoonTasks

/// The list of running tasks.
extension TaskScheduler {
  /// Returns the running tasks, or those of one module, in the order in which they began.
  package func infos(of module: ModuleName? = nil) -> [TaskInfo] {
    living.values.filter { module == nil || $0.effect.owner == module }
      .sorted { $0.id < $1.id }.map { $0.info(durable?.info(of: $0)) }
  }

  /// Returns whether any other task will continue without a dispatched action, or something was
  /// left for the host's next turn and there are no others whose it could be.
  ///
  /// Nothing continues while a state of the past is shown.
  ///
  /// - Complexity: O(tasks).
  package func haveWork(besides others: Set<TaskID>) -> Bool {
    guard let session, !session.timeTravel.timeline.isStill else { return false }
    if others.isEmpty, session.taskState.isBehind { return true }
    return living.values.contains { $0.endsWithoutAction && !others.contains($0.id) }
  }
}
