import Glibc
import Synchronization

/// The source of the time in actions' metadata.
public struct Clock: Sendable {
  /// Returns the time in seconds since 1970.
  public let now: @Sendable () -> Double

  /// Makes a clock from a function.
  public init(now: @escaping @Sendable () -> Double) {
    self.now = now
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
