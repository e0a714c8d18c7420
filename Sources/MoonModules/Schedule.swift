public import MoonActions
public import MoonValues

/// An action that is dispatched at times, as long as its module is in service.
///
/// The times are counted from the start of the module in the session. A reload that leaves the
/// schedule as it is doesn't change them. While the module is suspended, no action is dispatched.
public struct Schedule: Registrable {
  /// The shortest interval.
  package static let intervalMin: Duration = .milliseconds(10)
  /// The longest time, in seconds.
  package static let secondsMax: Int64 = 1_000_000_000

  /// The kind, name and place of the registration.
  package let registration: Registration
  /// The action.
  package let action: Action
  /// The time until the first run; nil means one interval.
  package let after: Duration?
  /// The time between two runs; nil means that there is only one.
  package let every: Duration?

  /// Makes a schedule; nil unless there is a time and each is in range.
  ///
  /// Runs that are missed, such as while the machine sleeps, aren't made up for.
  public init?(
    _ action: Action, after: Duration? = nil, every: Duration? = nil, place: SourcePlace? = nil
  ) {
    guard after != nil || every != nil, after.map(Self.isTime) ?? true,
      every.map(Self.isInterval) ?? true
    else { return nil }
    registration = Registration(.schedule, action.type.string, place: place)
    self.action = action
    self.after = after
    self.every = every
  }

  /// Whether a duration can be waited for.
  static func isTime(_ time: Duration) -> Bool {
    time >= .zero && time <= .seconds(secondsMax)
  }

  /// Whether a duration can be an interval.
  static func isInterval(_ time: Duration) -> Bool { time >= intervalMin && isTime(time) }

  /// Whether another schedule does the same; its place doesn't matter.
  package func isSame(as other: Schedule) -> Bool {
    action.type == other.action.type && action.payload == other.action.payload
      && after == other.after && every == other.every
  }
}
