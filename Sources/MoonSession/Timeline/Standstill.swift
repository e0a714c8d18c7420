import MoonTasks
import MoonValues

/// What is held back while a session stands still.
final class Standstill {
  /// The slices in which the session stopped.
  let state: Map
  /// The time at which it stopped, on the clock of the deadlines.
  let since: Duration
  /// The deadlines of its tasks.
  let held: [DeadlineQueue.Held]

  init(state: Map, since: Duration, held: [DeadlineQueue.Held]) {
    self.state = state
    self.since = since
    self.held = held
  }
}
