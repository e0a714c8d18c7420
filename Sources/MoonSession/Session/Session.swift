package import MoonNavigation
import MoonStore
package import MoonValues

/// One run of the app: its state, the actions that wait, and what became of earlier ones.
///
/// Confined to the host. Sessions share the modules and nothing else. Here is what a session holds;
/// what happens to an action is in Pipeline.swift and, stage by stage, in the files under `Stages`.
package final class Session {
  package let id: SessionID
  package let modules: ModuleSet
  let environment: SessionEnvironment

  // Confined to the host and never lent while other code of the session runs, so that a check at
  // each access would find nothing. Without the checks a dispatch takes 1,170 instructions less.
  @exclusivity(unchecked) package var slices = Slices()
  @exclusivity(unchecked) var navigation = NavigationState()
  @exclusivity(unchecked) var forms = ScreenForms()
  @exclusivity(unchecked) var history = HistoryRing()
  @exclusivity(unchecked) var work = Work()
  @exclusivity(unchecked) var queue = SessionQueue()
  @exclusivity(unchecked) private var lastID: Int64 = 0
  /// Whether the turn of a task has come.
  @exclusivity(unchecked) var hasReadyTasks = false
  /// Whether a task waits for an action or for a change of the state.
  @exclusivity(unchecked) var isListenedTo = false
  package private(set) lazy var tasks = Tasks(of: self)

  package init(id: SessionID, modules: ModuleSet, environment: SessionEnvironment) {
    self.id = id
    self.modules = modules
    self.environment = environment
  }

  package var state: Map { slices.state }
  package var stateValue: Value { .map(slices.state) }
  package var entries: History { history.snapshot }
  /// Where the session is; the first tree of all if the slice holds none.
  package var navigationTree: NavigationTree { navigation.treeOrFirst(in: slices.state) }

  /// The tree that the state holds.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if the slice holds something else.
  func readNavigation() throws(DispatchError) -> NavigationTree {
    try navigation.read(slices.state)
  }

  /// The action with what the host notes about it.
  func stamped(_ action: consuming Action, cause: Cause) -> Action {
    lastID += 1
    action.meta.note(
      id: lastID, time: environment.clock.now(), cause: cause, parent: work.actionID)
    return action
  }

  /// Notes an action that followed from another and failed.
  func fail(_ action: Action, _ error: DispatchError) {
    work.failures.append(FollowingFailure(action: action, error: error))
    environment.report(.dispatchFailed(id, action, error))
  }

  /// What an action's type sets in motion, see ``ModuleSet/listeners(to:cause:)``.
  func listeners(to action: Action, cause: Cause? = nil) throws(DispatchError) -> Listeners {
    try modules.listeners(to: action, cause: cause)
  }
}
