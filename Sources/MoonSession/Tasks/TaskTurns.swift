/// Counts the turns of tasks that come before other work of the host.
struct TaskTurns {
  /// How many turns of tasks come before other work of the host.
  static let countMax = 1_000
  /// How long they may take, in milliseconds.
  static let millisecondsMax = 100

  private var count = 0
  private var end = Duration.zero

  /// Whether there is time for one more; `now` is the time on the clock of budgets.
  mutating func next(_ now: () -> Duration) -> Bool {
    count += 1
    guard count > 1 else { return true }
    if count == 2 { end = now() + .milliseconds(Self.millisecondsMax) }
    return count <= Self.countMax && now() < end
  }
}
