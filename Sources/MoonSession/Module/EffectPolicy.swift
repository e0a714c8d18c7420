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
  /// At most ``queuedMax`` actions wait; each further one is a fault.
  case queue

  /// The maximum number of actions that wait for one effect.
  public static let queuedMax = 1_000
}

/// The rule for actions that come in quick succession.
///
/// It decides when the effect's ``EffectPolicy`` sees an action.
public enum EffectTiming: Sendable, Equatable {
  /// The effect starts when no further action has come for this time, with the last one.
  case debounce(Duration)
  /// The effect starts at once, and then at most once in each such time.
  ///
  /// Of the actions that come in between, it gets the last one at the end of the time.
  case throttle(Duration)
}
