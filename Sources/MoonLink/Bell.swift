import Glibc

/// A bell that wakes a thread from poll(2).
final class Bell: Sendable {
  /// Becomes readable when the bell is rung.
  let descriptor: Int32
  private let rope: Int32

  /// Makes a bell; nil if the system has no descriptor left.
  init?() {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    (descriptor, rope) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(rope)
  }

  /// Wakes the thread; has no effect if it was rung before and not heard.
  func ring() {
    var byte: UInt8 = 1
    send(rope, &byte, 1, Int32(MSG_NOSIGNAL))
  }

  /// Undoes the effect of ``ring()``.
  func hush() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while recv(descriptor, &bytes, bytes.count, 0) == bytes.count {}
  }
}
