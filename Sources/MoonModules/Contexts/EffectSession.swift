package import MoonActions
package import MoonServiceKit
package import MoonValues

/// The interface of a session to Swift code that runs outside the host.
package protocol EffectSession: AnyObject {
  var stateValue: Value { get }
  /// Whether modules may make requests.
  var requestSwitch: RequestSwitch { get }
  func slice(of module: ModuleName) -> Value?
  /// Returns whether a task is running.
  func runs(_ task: TaskID) -> Bool
  /// Queues actions on behalf of a task, to be carried out as one.
  func dispatch(_ actions: [Action], for task: TaskID) throws(DispatchError)
  /// Calls a command on behalf of a task's function.
  func call(
    _ command: Text, _ payload: Value, for task: TaskID,
    then answer: @escaping (Result<Value, CommandError>) -> Void)
  /// Starts a wait for a task's function; returns the task that waits, or nil if it has failed.
  func wait(_ run: SwiftWait, for task: TaskID) -> TaskID?
  /// Cancels the task of a wait that its function has abandoned.
  func cancel(waiting task: TaskID)
  /// Resumes a task with an answer; does nothing if the task has left that wait.
  func answer(_ task: TaskID, _ waitNumber: Int, _ answer: WaitAnswer)
  /// Records what a task's function has returned, or the error that it threw.
  func finish(_ task: TaskID, _ result: Result<Value?, any Error>)
}

/// Access to sessions from any thread.
package struct SessionAccess: Sendable {
  /// Calls a function on the host with the session, or with nil if the session is closed.
  ///
  /// Then carries out the actions that the function queued.
  package let enter:
    @Sendable (SessionID, @escaping @Sendable ((any EffectSession)?) -> Void) -> Void

  /// Makes the access from a function that enters a session.
  package init(
    enter:
      @escaping @Sendable (SessionID, @escaping @Sendable ((any EffectSession)?) -> Void) -> Void
  ) {
    self.enter = enter
  }
}
