package import MoonModules
import MoonServiceKit

/// The tasks of a session, and what the session must know of them at each action.
package struct TaskState {
  /// The tasks; nil until there has been one.
  fileprivate(set) var scheduler: TaskScheduler?
  /// The durable tasks; nil if there can't be any.
  package var durable: DurableTasks?
  /// Whether any task is ready.
  package var areReady = false
  /// Whether any task waits for an action or for a change of the state.
  var areWaiting = false
  /// The time that modules have used for turns of tasks and for actions that nobody awaits.
  var used = TimeAccount<ModuleName?>()
  /// Whether something was left for the host's next turn: queued actions, or what has happened and
  /// isn't told yet.
  package var isBehind = false
  /// The memory of the latest action that something holds.
  var held = HeldAction()
  /// Whether modules may make requests.
  package var requestSwitch = RequestSwitch()
}

extension Session {
  package var requestSwitch: RequestSwitch { taskState.requestSwitch }

  /// The tasks.
  package var tasks: TaskScheduler {
    if let scheduler = taskState.scheduler { return scheduler }
    let made = TaskScheduler(of: self)
    taskState.scheduler = made
    return made
  }

  /// The tasks; nil until there has been one.
  package var begunTasks: TaskScheduler? { taskState.scheduler }

  /// The durable tasks; nil if there can't be any.
  package var durable: DurableTasks? { taskState.durable }
}
