package import DequeModule
package import MoonModules
package import MoonServiceKit

/// The tasks of one effect that has a policy or a pace.
package struct EffectStarts {
  /// Keeps the identity alive, since it is the key of this record.
  let identity: PaceIdentity
  package let owner: ModuleName
  /// The task that later actions concern; nil if none runs, or if several may.
  package var running: TaskID?
  /// The task that the pace delays.
  package var delayed: TaskID?
  /// The tasks that wait for their turn.
  package var queued: Deque<TaskID> = []
  /// The time of the latest start that a throttle counts.
  package var lastStart: Duration?

  package init(_ effect: Bound<Effect>) {
    identity = effect.part.paceID
    owner = effect.owner
  }
}
