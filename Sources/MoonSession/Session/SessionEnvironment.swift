package import MoonActions
package import MoonModules
package import MoonServiceKit
package import MoonTasks
import Synchronization

/// The services that a session needs from its host.
package struct SessionEnvironment {
  /// The source of the time in actions' metadata.
  let clock: Clock
  /// The clock that measures the two budgets below.
  let budgetClock: BudgetClock
  /// The time that all calls of one module may take for one action, in nanoseconds; 0 means no
  /// limit.
  let actionBudget: Int64
  /// The time that all actions which follow from one may take, in nanoseconds; 0 means no limit.
  let followingBudget: Int64
  private let bounds: ModuleBounds
  /// The limits of the timeline.
  let timelineLimits: Timeline.Limits
  /// The deadlines of sleeping tasks.
  let deadlines: DeadlineQueue
  /// The sessions that the host must settle.
  let unsettled: UnsettledSessions
  /// Access to the sessions from any thread.
  let access: SessionAccess
  /// The record of whose code runs.
  let activity: Activity
  /// The flag by which a person interrupts the session.
  let interruption: Interruption
  /// Receives the events that no caller gets as a result.
  let report: (SessionEvent) -> Void
  /// Restarts the modules whose code was ended.
  let restartKilled: () -> Void
  /// Returns the time that work which nobody awaits may take, since other work waits for the host;
  /// nil if none does.
  let sliceMax: () -> Duration?

  package init(
    clock: Clock, budgetClock: BudgetClock, actionBudget: Duration, followingBudget: Duration,
    faultsMax: @escaping (ModuleName) -> Int,
    taskLimits: @escaping (ModuleName) -> TaskLimits,
    memory: @escaping (ModuleName) -> HeldMemory, timelineLimits: Timeline.Limits,
    deadlines: DeadlineQueue,
    unsettled: UnsettledSessions, access: SessionAccess, activity: Activity,
    interruption: Interruption, report: @escaping (SessionEvent) -> Void,
    restartKilled: @escaping () -> Void, sliceMax: @escaping () -> Duration? = { nil }
  ) {
    self.clock = clock
    self.budgetClock = budgetClock
    self.actionBudget = actionBudget > .zero ? max(actionBudget.wholeNanoseconds, 1) : 0
    self.followingBudget = followingBudget > .zero ? max(followingBudget.wholeNanoseconds, 1) : 0
    bounds = ModuleBounds(faultsMax: faultsMax, taskLimits: taskLimits, memory: memory)
    self.timelineLimits = timelineLimits
    self.deadlines = deadlines
    self.unsettled = unsettled
    self.access = access
    self.activity = activity
    self.interruption = interruption
    self.report = report
    self.restartKilled = restartKilled
    self.sliceMax = sliceMax
  }
}

/// What modules may use, by their names.
private struct ModuleBounds {
  let faultsMax: (ModuleName) -> Int
  let taskLimits: (ModuleName) -> TaskLimits
  let memory: (ModuleName) -> HeldMemory
}

extension SessionEnvironment {
  /// Returns the number of a module's recent calls that may fail before it is suspended; 0 means
  /// all.
  var faultsMax: (ModuleName) -> Int { bounds.faultsMax }
  /// Returns the limits on a module's tasks.
  var taskLimits: (ModuleName) -> TaskLimits { bounds.taskLimits }
  /// Returns the memory that the host holds for a module.
  var memory: (ModuleName) -> HeldMemory { bounds.memory }

  /// The same environment, but nothing is reported, and no other session is to be settled.
  var silent: SessionEnvironment {
    SessionEnvironment(
      clock: clock, budgetClock: budgetClock, actionBudget: .nanoseconds(actionBudget),
      followingBudget: .nanoseconds(followingBudget), faultsMax: faultsMax, taskLimits: taskLimits,
      memory: memory, timelineLimits: timelineLimits, deadlines: deadlines,
      unsettled: UnsettledSessions(),
      access: access, activity: activity, interruption: interruption, report: { _ in },
      restartKilled: restartKilled)
  }
}

/// An event in a session that no caller gets as a result.
package enum SessionEvent {
  /// A registration failed.
  case fault(SessionID, Fault)
  /// A registration refused what no caller gets the answer of.
  case refused(SessionID, Refusal, Action?)
  /// An action that followed from another failed.
  case dispatchFailed(SessionID, FollowingFailure)
  /// Commits can't be kept.
  case notKept(SessionID, JournalError)
  /// A recording beside the journal has ended, because it can't be written.
  case copyEnded(SessionID, JournalError)
  /// A module was suspended, because `count` of its recent calls failed.
  case suspended(ModuleName, by: Fault, count: Int)
  /// A module arrived, and slices of this version or others were put aside for it.
  case slice(SessionID, ModuleName, version: Int64, SliceChange)
}
