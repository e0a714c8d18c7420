import CMoonCurl
import Glibc

/// A bell that wakes a thread waiting for its sockets.
final class Bell: Sendable {
  /// The descriptor that watches the sockets, and the one that ends the wait.
  let (sockets, event): (Int32, Int32)

  /// Makes both descriptors; nil if the system has none left.
  init?() {
    let sockets = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard sockets >= 0 else { return nil }
    let event = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard event >= 0 else {
      Glibc.close(sockets)
      return nil
    }
    (self.sockets, self.event) = (sockets, event)
  }

  deinit {
    Glibc.close(sockets)
    Glibc.close(event)
  }

  func ring() { eventfd_write(event, 1) }

  /// Undoes the effect of ``ring()``.
  func hush() {
    var count: eventfd_t = 0
    eventfd_read(event, &count)
  }
}
