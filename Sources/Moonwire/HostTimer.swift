import MoonActions
import MoonLua
import MoonServiceKit
import MoonTasks

/// The timer of a host, which wakes the sleeping tasks of all its sessions.
///
/// Confined to the host.
final class HostTimer {
  let clock: Clock.Timer
  private(set) lazy var deadlines = DeadlineQueue(now: clock.now) { [unowned self] in
    requestWake(at: $0)
  }
  /// Has the host resume the ready tasks of all sessions, after everything that waits for its
  /// thread.
  private var wake: @Sendable () -> Void = {}
  private var armed: Duration?
  /// Whether a turn has been asked for that hasn't begun.
  private var isWoken = false
  private var sleeper: Task<Void, Never>?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ clock: Clock.Timer) { self.clock = clock }

  deinit { sleeper?.cancel() }

  /// Sets the host that is woken.
  func attach(to host: Host) {
    wake = { [weak host, executor = host.executor] in
      executor.run { [weak host] in host?.assumeIsolated { $0.sessions.wake() } }
    }
  }

  /// Schedules a turn at a time; an earlier scheduled turn stays.
  func requestWake(at deadline: Duration) {
    if let armed, armed <= deadline {
      // The sleeper may be late, where nothing lets its task run.
      if armed <= clock.now() { wakeNow() }
      return
    }
    armed = deadline
    sleeper?.cancel()
    sleeper = nil
    guard clock.now() < deadline else { return wakeNow() }
    sleeper = Task { [clock, wake] in
      if (try? await clock.sleep(deadline)) != nil { wake() }
    }
  }

  private func wakeNow() {
    guard !isWoken else { return }
    isWoken = true
    wake()
  }

  /// Returns the sessions with ready tasks.
  func beginTurn() -> [SessionID] {
    (armed, isWoken) = (nil, false)
    return deadlines.wake()
  }

  /// Resumes the callers that wait for the end of a turn.
  func endTurn() {
    let told = waiting
    waiting = []
    for continuation in told { continuation.resume() }
  }

  /// Resumes a continuation at the end of the next turn, which starts at the deadline or before, or
  /// at once if there is nothing to wait for.
  ///
  /// The host may have had a turn since the caller asked, whose end was told to nobody.
  func wait(
    _ continuation: CheckedContinuation<Void, Never>, until deadline: Duration,
    while isWanted: () -> Bool
  ) {
    guard isWanted() else { return continuation.resume() }
    waiting.append(continuation)
    requestWake(at: deadline)
  }
}
