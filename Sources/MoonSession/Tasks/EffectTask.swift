import MoonStore
package import MoonValues

/// A task: one run of an effect, or of a function that an effect has spawned.
///
/// Confined to the host.
package final class EffectTask {
  /// The way in which a task has ended.
  enum Ending {
    /// The code has returned these values.
    case finished([Value?])
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
    /// The running tasks of its module.
    var tally: TaskTally
    /// The time at which the task began, in seconds since 1970.
    var since: Double
    /// The part of the session that waits for the result; nil if none does.
    var asker: Asker?
    /// The durable task that this one is a part of; nil if it is none.
    var durable: DurableTask.Member?
    /// The idempotency keys of its calls, if it works for a durable task without being a part.
    var callKeys: CallKeys?
  }

  /// A part of the session that waits for the result of a task.
  final class Asker {
    /// The maximum life of the task; nil means that of its module's tasks.
    let lifeMax: Duration?
    /// Receives the ending.
    var completion: (Ending) -> Void
    /// Whether the task was cancelled at the end of its maximum life.
    var hasExpired = false
    /// The ending of a task whose code has ended, while it is held back.
    var ending: Ending?

    init(within lifeMax: Duration?, _ completion: @escaping (Ending) -> Void) {
      self.lifeMax = lifeMax
      self.completion = completion
    }
  }

  package let id: TaskID
  let effect: Bound<Effect>
  /// Its scheduler; nil if the session is closed.
  private(set) weak var scheduler: (any TaskOwner)?
  var origin: Origin
  /// The place in a chain of effects.
  var chain = EffectChain()
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
  /// Whether it holds no code of its module, and waits to dispatch an action.
  var isTimer: Bool { run?.isTimer ?? false }
  /// Whether its code runs again, answered by a log.
  var isReplaying: Bool { durable?.task.isReplaying ?? false }

  /// The state of a task.
  enum Standing {
    case alive
    /// The task ends as soon as its code isn't running.
    case cancelled
    case ended
  }

  init(
    id: TaskID, effect: Bound<Effect>, origin: Origin, run: (any EffectRun)?,
    in scheduler: any TaskOwner
  ) {
    self.id = id
    self.scheduler = scheduler
    self.effect = effect
    self.origin = origin
    self.run = run
  }

  /// The durable task that this one is a part of; nil if it is none.
  var durable: DurableTask.Member? {
    get { origin.durable }
    set { origin.durable = newValue }
  }
  /// The idempotency keys of its calls, if it works for a durable task without being a part of it.
  package var callKeys: CallKeys? { origin.callKeys }
  /// The action that started the effect, or that the timer dispatches.
  var action: Action { origin.action }
  /// The cause of the actions that it dispatches.
  var cause: Cause { .module(effect.owner.text, effect.registration.kind) }

  /// Becomes a child of the task that spawned it, and a part of the same durable task if both are
  /// of one effect.
  func join(_ parent: EffectTask) {
    origin.callKeys = parent.callKeys
    if parent.effect === effect { durable = parent.durable?.task.admit(self) }
    parent.children.insert(id)
  }

  /// Notes the answer of a command that it has called.
  package func noteResult(_ value: Value) {
    durable.map { $0.task.noteResult(value, for: $0.number) }
  }

  /// Describes the task, and the durable one that it is a part of.
  func info(_ durable: TaskInfo.Durable?) -> TaskInfo {
    TaskInfo(
      id: id, module: effect.owner, generation: origin.generation,
      effect: effect.registration, parent: origin.parent, action: action, since: origin.since,
      durable: durable, wait: wait?.description,
      endsWithoutAction: wait?.endsWithoutAction ?? true)
  }
}
