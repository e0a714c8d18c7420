import Synchronization

/// A clock that stands still until a test lets time pass.
package final class StillClock: Sendable {
  /// The time at which tests begin, in seconds since 1970: the first second of 2025.
  package static let beginning = 1_735_689_600.0
  /// The longest time that a sleeping timer waits before it checks again.
  private static let sleepMax = Duration.seconds(86_400)

  private let beginning: Double
  private let passed = Mutex(Duration.zero)

  /// Makes a clock that stands at a time.
  package init(beginning: Double = StillClock.beginning) { self.beginning = beginning }

  /// The time since the beginning.
  package var now: Duration { passed.withLock { $0 } }

  /// Sets the time; an earlier time has no effect.
  package func set(_ time: Duration) { passed.withLock { $0 = max($0, time) } }

  /// The clock for a host, whose sleeping tasks the test resumes.
  package var clock: Clock {
    Clock(
      timer: Clock.Timer(
        now: { self.now },
        sleep: { _ in while true { try await Task.sleep(for: Self.sleepMax) } })
    ) { self.beginning + self.now / .seconds(1) }
  }
}
