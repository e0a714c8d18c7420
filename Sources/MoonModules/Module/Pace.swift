/// The pace of an observer or effect: how the changes of a part of the state, or actions, become
/// calls.
public struct Pace: Sendable, Equatable {
  /// The rule by which calls are delayed.
  public enum Rule: Sendable {
    /// One call when nothing has changed for the time, counted from the last change.
    case debounce
    /// A call for the first change, then at most one each time the time has passed, counted from
    /// the first change.
    case throttle
  }

  /// The rule.
  package let rule: Rule
  /// The time.
  package let time: Duration

  /// One call when nothing has changed for a time.
  public static func debounce(_ time: Duration) -> Pace { Pace(rule: .debounce, time: time) }
  /// One call at once, then at most one in each such time.
  public static func throttle(_ time: Duration) -> Pace { Pace(rule: .throttle, time: time) }
}

/// The identity of a paced observer or of an effect, which stays when the table of registrations is
/// rebuilt.
package final class PaceIdentity: Sendable {}
