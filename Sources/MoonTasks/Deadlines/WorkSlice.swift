/// The time of work that nobody awaits, while other work waits for the host.
package struct WorkSlice {
  /// The maximum time before an action from outside, in milliseconds.
  static let millisecondsMax = 10

  package static var timeMax: Duration { .milliseconds(millisecondsMax) }

  /// The time at which other work was first seen to wait.
  private var begin: Duration?

  package init() {}

  /// Returns whether the work has gone on for longer than this, since something waits.
  package mutating func isOver(after max: Duration, at now: Duration) -> Bool {
    guard let begin else {
      self.begin = now
      return false
    }
    return now - begin >= max
  }
}
