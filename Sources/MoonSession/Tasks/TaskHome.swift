/// The scheduler of a session's tasks.
package protocol TaskOwner: AnyObject {
  /// The session of the tasks; nil if it is closed.
  var sessionID: SessionID? { get }
  /// Resumes a task at the deadline of its wait.
  func deadlineReached(for task: EffectTask)
  /// Ends a task at the end of its maximum life.
  func lifetimeExpired(of task: EffectTask)
}

/// The way from the tasks of a session to their scheduler.
///
/// Tasks may outlive it: deadlines, answers and recordings hold them. This takes the place of weak
/// references, of which each use is dear, and which make all uses of what they refer to dearer.
/// With those to schedulers and sessions, a task that waits once takes 3,000 instructions more.
/// Confined to the host.
final class TaskHome {
  // Unowned without checks, since the scheduler clears it in its `deinit`: it is valid whenever it
  // isn't nil.
  unowned(unsafe) var owner: (any TaskOwner)?
}
