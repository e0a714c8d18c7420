import MoonStore

/// One run of an effect, from its beginning to its end.
///
/// Confined to the host.
package final class EffectTask {
  /// How a task has ended.
  enum Ending {
    case finished
    case failed(Fault)
    case cancelled
  }

  /// Where a task comes from.
  struct Origin {
    /// Which load of the module it belongs to.
    let generation: Int
    /// Who has spawned it.
    var parent: TaskID?
    /// The action that started the effect.
    let action: Action
    /// When it began, in seconds since 1970.
    let since: Double
  }

  package let id: TaskID
  let effect: Bound<Effect>
  let origin: Origin
  /// Nil before it begins, and once it has ended.
  package internal(set) var run: (any EffectRun)?
  /// What it waits for; nil while it runs, or while its turn is to come.
  var wait: Wait?
  /// Counts its waits, so that an answer to an earlier one is known as such.
  var waitNumber = 0
  /// What it waited for last.
  var lastWait: Wait?
  /// What it goes on with when its turn comes.
  var answer: WaitAnswer?
  /// How many tasks it waits for that have not ended.
  var awaitedCount = 0
  /// The operation that it waits for.
  var operation: _Concurrency.Task<Void, Never>?
  /// Those that it has spawned and that have not ended.
  var children: Set<TaskID> = []
  var standing = Standing.alive
  weak var owner: (any TaskOwner)?

  /// Where it stands.
  enum Standing {
    case alive
    /// To be ended as soon as its code doesn't run.
    case cancelled
    case ended
  }

  init(id: TaskID, effect: Bound<Effect>, origin: Origin, run: (any EffectRun)? = nil) {
    self.id = id
    self.effect = effect
    self.origin = origin
    self.run = run
  }

  /// The action that started the effect.
  var action: Action { origin.action }

  var info: TaskInfo {
    TaskInfo(
      id: id, module: effect.owner, generation: origin.generation,
      effect: effect.registration, parent: origin.parent, action: action, since: origin.since,
      wait: wait?.description,
      endsByItself: wait?.endsByItself ?? true)
  }
}

/// Who gives tasks their turns.
package protocol TaskOwner: AnyObject {
  /// The session of the tasks; nil if it is gone.
  var sessionID: SessionID? { get }
  /// Notes that the time has come that a task waits for.
  func timeHasCome(for task: EffectTask)
  /// Notes that a task has lived as long as it may.
  func lifeIsOver(of task: EffectTask)
}
