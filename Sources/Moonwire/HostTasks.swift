package import MoonActions
package import MoonModules
import MoonServiceKit
import MoonSession
package import MoonTasks

/// The tasks of sessions.
extension Host {
  /// Returns the running tasks of a session, in the order in which they began.
  package func taskInfos(of id: SessionID) -> [TaskInfo] { session(id)?.tasks.infos() ?? [] }

  /// Returns the number of answers that arrived after their wait had ended, and were dropped.
  package func lateAnswerCount(of id: SessionID) -> Int { session(id)?.tasks.lateCount ?? 0 }

  /// Cancels a task and the tasks that it spawned; returns false if there is no such task.
  @discardableResult
  package func cancelTask(_ task: TaskID, in id: SessionID) -> Bool {
    guard let session = session(id) else { return false }
    return sessions.cancel(task, in: session)
  }

  /// Waits until all tasks of a session have ended or wait for an action or a change, and returns
  /// their results.
  ///
  /// The wait doesn't include the tasks in `others`, and takes no longer than `time`.
  package func waitForTasks(
    in id: SessionID, besides others: Set<TaskID> = [], within time: Duration
  ) async -> BackgroundResults {
    let timer = sessions.timer
    let end = timer.clock.now() + time
    let haveWork = { [self] in session(id)?.tasks.haveWork(besides: others) ?? false }
    while haveWork(), timer.clock.now() < end {
      await withCheckedContinuation { timer.wait($0, until: end, while: haveWork) }
    }
    return session(id)?.tasks.takeWork() ?? BackgroundResults()
  }
}
