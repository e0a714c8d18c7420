package import MoonStore
import Synchronization

/// What a session needs of whoever runs it.
package struct SessionEnvironment {
  /// Where the time of actions comes from.
  let clock: Clock
  /// What the two budgets below are measured with.
  let budgetClock: BudgetClock
  /// How long the code of one module may run for one action, all its calls together; zero for as
  /// long as it likes.
  let actionBudget: Duration
  /// How long what follows from one action may take; zero for as long as it likes.
  let followingBudget: Duration
  /// How many of a module's last calls may fail until it is suspended; 0 for all.
  let faultsMax: (ModuleName) -> Int
  /// How many tasks a module may have, and for how long.
  let taskLimits: (ModuleName) -> TaskLimits
  /// What tasks sleep by.
  let alarm: Alarm
  /// The way to the sessions from beside the host.
  let door: SessionDoor
  /// Whose code runs.
  let activity: Activity
  /// Whether a person wants what is going on to stop.
  let interruption: Interruption
  /// Learns what happens that nobody waits for.
  let report: (SessionEvent) -> Void
  /// Starts modules again whose code was ended.
  let restartKilled: () -> Void

  package init(
    clock: Clock, budgetClock: BudgetClock, actionBudget: Duration, followingBudget: Duration,
    faultsMax: @escaping (ModuleName) -> Int,
    taskLimits: @escaping (ModuleName) -> TaskLimits, alarm: Alarm, door: SessionDoor,
    activity: Activity, interruption: Interruption, report: @escaping (SessionEvent) -> Void,
    restartKilled: @escaping () -> Void
  ) {
    self.clock = clock
    self.budgetClock = budgetClock
    self.actionBudget = actionBudget
    self.followingBudget = followingBudget
    self.faultsMax = faultsMax
    self.taskLimits = taskLimits
    self.alarm = alarm
    self.door = door
    self.activity = activity
    self.interruption = interruption
    self.report = report
    self.restartKilled = restartKilled
  }
}

/// Something that happened in a session and that nobody waits for.
package enum SessionEvent {
  /// A registration failed.
  case fault(SessionID, Fault)
  /// An action that followed from another failed.
  case dispatchFailed(SessionID, Action, DispatchError)
  /// A module isn't called any more: of its last calls, so many failed.
  case suspended(ModuleName, by: Fault, count: Int)
  /// A module that came has found slices that were put aside, of this version or others.
  case slice(SessionID, ModuleName, version: Int64, SliceChange)
}
