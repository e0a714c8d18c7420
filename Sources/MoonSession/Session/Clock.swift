import Glibc
import Synchronization

/// Where the time of actions comes from.
public struct Clock: Sendable {
  /// Seconds since 1970.
  public let now: @Sendable () -> Double

  /// Makes a clock of a function.
  public init(now: @escaping @Sendable () -> Double) {
    self.now = now
  }

  /// The system's clock, to the millisecond.
  public static let system = Clock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return (Double(time.tv_sec) * 1000 + Double(time.tv_nsec / 1_000_000)) / 1000
  }
}

/// Whether a person wants what is going on to stop; raised from any thread.
package final class Interruption: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isRaised: Bool { flag.load(ordering: .relaxed) }
  package func raise() { flag.store(true, ordering: .relaxed) }
  package func clear() { flag.store(false, ordering: .relaxed) }
}
