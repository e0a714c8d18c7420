package import MoonActions
import MoonModules
package import MoonNavigation
package import MoonServiceKit
package import MoonValues

/// One run of the app: its state, its queue and its history.
///
/// Confined to the host. Sessions share the modules and nothing else. This file declares what a
/// session holds. What happens to an action is in Pipeline.swift and, stage by stage, in the files
/// under `Stages`.
package final class Session {
  package let id: SessionID
  package let modules: ModuleSet
  let environment: SessionEnvironment
  /// The readers outside the host that follow the state.
  package let readers = Readers<Value>()

  package let slices = Slices()
  var navigation = NavigationState()
  var screens = ScreenRecords()
  package var history = HistoryRing()
  package var recorders = CommitRecorders()
  package var timeTravel: TimeTravel
  package var current = CurrentDispatch()
  var queues = Lanes(front: SessionQueue())
  package var lastID: Int64 = 0
  package var taskState = TaskState()

  package init(id: SessionID, modules: ModuleSet, environment: SessionEnvironment) {
    (self.id, self.modules, self.environment) = (id, modules, environment)
    timeTravel = TimeTravel(limits: environment.timelineLimits)
  }

  deinit { begunTasks?.leave() }

  package var state: Map { slices.state }
  package var stateValue: Value { .map(slices.state) }
  /// The navigation tree; the first tree if the slice doesn't hold one.
  package var navigationTree: NavigationTree { navigation.treeOrFirst(in: slices.state) }

  /// Reads the tree of the state.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if the slice holds something else.
  func readNavigation() throws(DispatchError) -> NavigationTree {
    try navigation.read(slices.state)
  }

  /// Notes that the code that runs reads a slice, or the whole state if there is no key.
  package func noteRead(of key: Key?) { screens.noteRead(of: key, in: slices.state) }

  /// Returns the action with the metadata that the host adds.
  func stamped(_ action: consuming Action, cause: Cause) -> Action {
    lastID += 1
    action.note(id: lastID, time: environment.clock.now(), cause: cause, parent: current.actionID)
    return action
  }

  /// Notes that a following action failed, and by which registration it was dispatched.
  func fail(_ action: Action, _ error: DispatchError, by dispatcher: BoundRegistration? = nil) {
    if let dispatcher { slices.failedStarts.note(dispatcher) }
    durable?.noteFailed(action)
    let failure = FollowingFailure(action, error, by: dispatcher)
    current.failures.append(failure)
    intake.askToSettle()
    environment.report(.dispatchFailed(id, failure))
  }

  /// Checks an action and returns the listeners to its type; see
  /// ``ModuleSet/listeners(to:cause:)``.
  func listeners(to action: Action, cause: Cause? = nil) throws(DispatchError) -> Listeners {
    try modules.listeners(to: action, cause: cause)
  }
}
