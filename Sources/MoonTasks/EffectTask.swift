package import MoonActions
package import MoonModules
package import MoonServiceKit
package import MoonValues

/// A task: one run of an effect, or of a function that an effect has spawned.
///
/// Confined to the host.
package final class EffectTask {
  /// The way in which a task has ended.
  package enum Ending {
    /// The code has returned these values.
    case finished([Value?])
    case failed(Fault)
    case cancelled
  }

  /// The origin of a task.
  package struct Origin {
    /// The generation of the module that the task belongs to.
    package var generation: Int
    /// The task that spawned this one; nil if an action started it.
    package var parent: TaskID?
    /// The action that started the effect.
    package fileprivate(set) var action: Action
    /// The running tasks of its module.
    package var tally: TaskTally
    /// The time at which the task began, in seconds since 1970.
    package var since: Double
    /// The part of the session that waits for the result; nil if none does.
    package var asker: Asker?
    /// The durable task that this one is a part of; nil if it is none.
    var durable: DurableTask.Member?
    /// The idempotency keys of its calls, if it works for a durable task without being a part.
    package var callKeys: CallKeys?
    /// What holds the action for a module; nil if it is small.
    package var held: HeldMemory.Share?
    /// The modules, besides the one that dispatched the action, that had a hand in it or in what
    /// the task has heard since.
    package var givers: Set<ModuleName> = []
    /// The spans of the task; nil if nothing measures it.
    package var spans: TaskSpans?
    /// Whether an action of another module has begun it, or the task that spawned it.
    var isOthers: Bool { action.isOthers(to: tally.owner) }

    /// Makes the origin of a task.
    package init(
      generation: Int, parent: TaskID? = nil, action: Action, tally: TaskTally, since: Double,
      asker: Asker? = nil, durable: DurableTask.Member? = nil, callKeys: CallKeys? = nil,
      held: HeldMemory.Share? = nil
    ) {
      self.generation = generation
      self.parent = parent
      self.action = action
      self.tally = tally
      self.since = since
      self.asker = asker
      self.durable = durable
      self.callKeys = callKeys
      self.held = held
    }
  }

  /// A part of the session that waits for the result of a task.
  package final class Asker {
    /// The maximum life of the task; nil means that of its module's tasks.
    package let lifeMax: Duration?
    /// Receives the ending.
    package var completion: (Ending) -> Void
    /// Whether the task was cancelled at the end of its maximum life.
    package var hasExpired = false
    /// The ending of a task whose code has ended, while it is held back.
    package var ending: Ending?

    package init(within lifeMax: Duration?, _ completion: @escaping (Ending) -> Void) {
      self.lifeMax = lifeMax
      self.completion = completion
    }
  }

  package let id: TaskID
  package let effect: Bound<Effect>
  /// Its scheduler; nil if the session is closed.
  private(set) weak var scheduler: (any TaskOwner)?
  package var origin: Origin
  /// The place in a chain of effects.
  package var chain = EffectChain()
  /// The code; nil before the task begins and after it has ended.
  package var run: (any EffectRun)?
  /// The current wait; nil while the task runs or is ready.
  package var wait: Wait?
  /// The number of waits so far, which identifies answers to earlier waits.
  package var waitNumber = 0
  /// The most recent wait that has ended.
  package var lastWait: Wait?
  /// The value that the task resumes with at its next turn.
  package var answer: WaitAnswer?
  /// The number of awaited tasks that haven't ended.
  package var awaitedCount = 0
  /// The Swift task of the operation that this task waits for.
  package var operation: _Concurrency.Task<Void, Never>?
  /// The spawned tasks that haven't ended.
  package var children: Set<TaskID> = []
  package var standing = Standing.alive
  /// Whether it holds no code of its module, and waits to dispatch an action.
  package var isTimer: Bool { run?.isTimer ?? false }
  /// Whether its code runs again, answered by a log.
  package var isReplaying: Bool { durable?.task.isReplaying ?? false }

  /// The state of a task.
  package enum Standing {
    case alive
    /// The task ends as soon as its code isn't running.
    case cancelled
    case ended
  }

  package init(
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
  package var durable: DurableTask.Member? {
    get { origin.durable }
    set { origin.durable = newValue }
  }
  /// The idempotency keys of its calls, if it works for a durable task without being a part of it.
  package var callKeys: CallKeys? { origin.callKeys }
  /// The action that started the effect, or that the timer dispatches.
  package var action: Action { origin.action }
  /// The cause of the actions that it dispatches.
  package var cause: Cause { .module(effect.owner.text, effect.registration.kind) }

  /// Becomes a child of the task that spawned it, and a part of the same durable task if both are
  /// of one effect.
  package func join(_ parent: EffectTask) {
    origin.callKeys = parent.callKeys
    origin.givers = parent.origin.givers
    if parent.effect === effect { durable = parent.durable?.task.admit(self) }
    parent.children.insert(id)
  }

  /// Gives back the memory of the payload, which the task no longer needs once it has ended.
  ///
  /// Deadlines that no longer apply may keep the task for a while.
  package func forgetPayload() {
    guard origin.held != nil else { return }
    origin.action.payload = .null
    origin.held = nil
  }

  /// Notes the answer of a command that it has called.
  package func noteResult(_ value: Value) {
    durable.map { $0.task.noteResult(value, for: $0.number) }
  }

  /// Describes the task, and the durable one that it is a part of.
  package func info(_ durable: TaskInfo.Durable?) -> TaskInfo {
    TaskInfo(
      id: id, module: effect.owner, generation: origin.generation,
      effect: effect.registration, parent: origin.parent, action: action, since: origin.since,
      durable: durable, isKept: effect.part.isKept, wait: wait?.description,
      endsWithoutAction: endsWithoutAction, isAwaited: origin.asker != nil)
  }

  /// Whether it will go on without a dispatched action, and its end can be waited for.
  package var endsWithoutAction: Bool {
    // A kept effect waits as long as its module is there.
    wait.map { $0.endsWithoutAction && !effect.part.isKept } ?? true
  }
}
