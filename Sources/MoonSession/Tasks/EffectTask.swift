import MoonStore

/// A task: one run of an effect, or of a function that an effect has spawned.
///
/// Confined to the host.
package final class EffectTask {
  /// The way in which a task has ended.
  enum Ending {
    case finished
    case failed(Fault)
    case cancelled
  }

  /// The origin of a task.
  struct Origin {
    /// The generation of the module that the task belongs to.
    var generation: Int
    /// The task that spawned this one; nil if an action started it.
    var parent: TaskID?
    /// The action that started the effect.
    let action: Action
    /// The time at which the task began, in seconds since 1970.
    let since: Double
  }

  package let id: TaskID
  let effect: Bound<Effect>
  var origin: Origin
  /// The number of effects and tasks that followed from one another, up to this task, without a
  /// rest; see ``EffectChain``.
  var depth = 0
  /// The part of the depth that only comes from having been spawned.
  var spawnDepth = 0
  /// The greatest depth of the awaited tasks that have ended.
  var awaitedDepth = 0
  /// The code; nil before the task begins and after it has ended.
  package internal(set) var run: (any EffectRun)?
  /// The current wait; nil while the task runs or is ready.
  var wait: Wait?
  /// The number of waits so far, which identifies answers to earlier waits.
  var waitNumber = 0
  /// The most recent wait that has ended.
  var lastWait: Wait?
  /// The value that the task resumes with at its next turn.
  var answer: WaitAnswer?
  /// The number of awaited tasks that haven't ended.
  var awaitedCount = 0
  /// The Swift task of the operation that this task waits for.
  var operation: _Concurrency.Task<Void, Never>?
  /// The spawned tasks that haven't ended.
  var children: Set<TaskID> = []
  var standing = Standing.alive
  weak var owner: (any TaskOwner)?

  /// The state of a task.
  enum Standing {
    case alive
    /// The task ends as soon as its code isn't running.
    case cancelled
    case ended
  }

  init(id: TaskID, effect: Bound<Effect>, origin: Origin, run: (any EffectRun)? = nil) {
    self.id = id
    self.effect = effect
    self.origin = origin
    self.run = run
  }

  /// The action that started the effect, or that the timer dispatches.
  var action: Action { origin.action }

  /// Whether the task is a timer, which holds no code of its module.
  var isTimer: Bool { run is TimerRun }

  var info: TaskInfo {
    TaskInfo(
      id: id, module: effect.owner, generation: origin.generation,
      effect: effect.registration, parent: origin.parent, action: action, since: origin.since,
      wait: wait?.description,
      endsWithoutAction: wait?.endsWithoutAction ?? true)
  }
}

/// The place in a chain of effects; see ``EffectChain``.
extension EffectTask {
  /// Notes the effects that led to the end of the current wait; `depth` is that of the action that
  /// ends it.
  func noteDepth(afterWaitIn depth: Int) {
    switch wait {
    case .action, .change: set(depth: depth + 1)
    case .tasks: set(depth: max(awaitedDepth, 1))
    case let wait: if wait?.isRest ?? false { set(depth: 1) }
    }
  }

  /// Notes that the task goes on from the end of a spawned one.
  func takeDepth(of child: EffectTask) { set(depth: max(child.depth - child.spawnDepth, 1)) }

  private func set(depth: Int) {
    guard depth != self.depth else { return }
    self.depth = depth
    spawnDepth = 0
  }
}

/// The scheduler of a session's tasks.
package protocol TaskOwner: AnyObject {
  /// The session of the tasks; nil if it is closed.
  var sessionID: SessionID? { get }
  /// Resumes a task at the deadline of its wait.
  func deadlineReached(for task: EffectTask)
  /// Ends a task at the end of its maximum life.
  func lifetimeExpired(of task: EffectTask)
}
