import CMoonCurl
import Glibc

/// A bell that wakes a thread that waits for descriptors.
package final class Bell: Sendable {
  /// Can be read once the bell is rung.
  package let descriptor: Int32

  /// Makes a bell; nil if the system has no descriptor left.
  package init?() {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// Wakes the thread; has no effect if it was rung before and not heard.
  package func ring() { eventfd_write(descriptor, 1) }

  /// Undoes the effect of ``ring()``.
  package func hush() {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
  }
}
