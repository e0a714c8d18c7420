import CMoonCurl
import Glibc

/// The descriptor that watches a network's sockets.
final class SocketSet: Sendable {
  let descriptor: Int32

  /// Makes an empty set; nil if the system has no descriptor left.
  init?() {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }
}
