import Glibc
import Synchronization

/// The source of the time in actions' metadata.
public struct Clock: Sendable {
  /// Returns the time in seconds since 1970.
  public let now: @Sendable () -> Double
  /// The timer that sleeping tasks use.
  public let timer: Timer

  /// Makes a clock of a function.
  public init(timer: Timer = .continuous, now: @escaping @Sendable () -> Double) {
    self.timer = timer
    self.now = now
  }

  /// A clock with a function that waits for a time.
  public struct Timer: Sendable {
    /// Returns the time; only differences are meaningful.
    public let now: @Sendable () -> Duration
    /// Returns at a time on the clock, or throws if the calling task is cancelled.
    public let sleep: @Sendable (_ deadline: Duration) async throws -> Void

    /// Makes a timer from two functions.
    public init(
      now: @escaping @Sendable () -> Duration,
      sleep: @escaping @Sendable (_ deadline: Duration) async throws -> Void
    ) {
      self.now = now
      self.sleep = sleep
    }

    /// The system's timer, which also advances while the machine sleeps.
    public static let continuous: Timer = {
      let start = ContinuousClock.now
      return Timer(
        now: { ContinuousClock.now - start },
        sleep: { try await ContinuousClock().sleep(until: start + $0) })
    }()
  }

  /// The system's clock, in whole milliseconds.
  public static let system = Clock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return (Double(time.tv_sec) * 1000 + Double(time.tv_nsec / 1_000_000)) / 1000
  }
}

/// A flag by which a person interrupts the host.
///
/// Any thread may raise it.
package final class Interruption: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isRaised: Bool { flag.load(ordering: .relaxed) }
  package func raise() { flag.store(true, ordering: .relaxed) }
  package func clear() { flag.store(false, ordering: .relaxed) }
}
