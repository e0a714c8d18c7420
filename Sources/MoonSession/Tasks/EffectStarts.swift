import DequeModule
import MoonStore

/// The tasks of one effect that has a policy or a pace.
struct EffectStarts {
  /// Keeps the identity alive, since it is the key of this record.
  let identity: PaceIdentity
  let owner: ModuleName
  /// The task that later actions concern; nil if none runs, or if several may.
  var running: TaskID?
  /// The task that the pace delays.
  var delayed: TaskID?
  /// The tasks that wait for their turn.
  var queued: Deque<TaskID> = []
  /// The time of the latest start that a throttle counts.
  var lastStart: Duration?

  init(_ effect: Bound<Effect>) {
    identity = effect.part.paceID
    owner = effect.owner
  }
}
