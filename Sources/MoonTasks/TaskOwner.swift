package import MoonActions

/// What tasks and their deadlines need of the scheduler of a session.
package protocol TaskOwner: AnyObject {
  /// The session of the tasks; nil if it is closed.
  var sessionID: SessionID? { get }
  /// Resumes a task at the deadline of its wait.
  func deadlineReached(for task: EffectTask)
  /// Ends a task at the end of its maximum life.
  func lifetimeExpired(of task: EffectTask)
}
