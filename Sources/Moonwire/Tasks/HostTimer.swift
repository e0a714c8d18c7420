import MoonSession

/// The one timer of a host, by which the tasks of all its sessions sleep.
///
/// Confined to the host.
final class HostTimer {
  let clock: Clock.Timer
  private(set) lazy var alarm = Alarm(now: clock.now) { [unowned self] in ask(for: $0) }
  /// Gives the sessions their turns; set once the host is made.
  var wake: @Sendable () async -> Void = {}
  private var armed: Duration?
  private var sleeper: Task<Void, Never>?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ clock: Clock.Timer) { self.clock = clock }

  deinit { sleeper?.cancel() }

  /// Asks for a turn at a time; nothing is asked for while nothing sleeps.
  func ask(for deadline: Duration) {
    if let armed, armed <= deadline { return }
    armed = deadline
    sleeper?.cancel()
    sleeper = Task { [clock, wake] in
      if clock.now() < deadline, (try? await clock.sleep(deadline)) == nil { return }
      await wake()
    }
  }

  /// The sessions whose tasks go on now.
  func beginTurn() -> [SessionID] {
    armed = nil
    return alarm.wake()
  }

  /// Tells those who wait for a turn.
  func endTurn() {
    let told = waiting
    waiting = []
    for continuation in told { continuation.resume() }
  }

  /// Notes who waits for the end of the next turn, which comes before a time.
  func wait(_ continuation: CheckedContinuation<Void, Never>, until deadline: Duration) {
    waiting.append(continuation)
    ask(for: deadline)
  }
}
