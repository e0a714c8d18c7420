/// The rule for an action that comes while an effect runs for an earlier one.
///
/// Tasks that the effect has spawned and that outlive it don't count as the effect.
public enum EffectPolicy: String, Sendable, CaseIterable {
  /// The effect runs for each action, several times at once.
  case every
  /// The effect for the earlier action is cancelled.
  case latest
  /// The action is ignored.
  case first
  /// The action waits until the effect has ended for those before it.
  ///
  /// At most 1,000 actions wait; each further one is a fault.
  case queue

  /// The maximum number of actions that wait for one effect.
  package static let queuedMax = 1_000
}
