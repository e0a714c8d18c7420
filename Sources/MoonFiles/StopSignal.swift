import Glibc
import Synchronization

/// Tells one thread, which may be blocked in poll(2), to end.
final class StopSignal: Sendable {
  /// Becomes readable when the signal is raised.
  let descriptor: Int32

  private let writer: Int32
  private let raised = Atomic(false)
  private let closed = Atomic(false)

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    // A pair of sockets and not a pipe: only it can be made close-on-exec in one call.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .latest }
    descriptor = ends[0]
    writer = ends[1]
  }

  deinit {
    closeDescriptors()
  }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  /// Ends the thread after what it is doing, without waking it: for the thread itself.
  func raise() {
    raised.store(true, ordering: .releasing)
  }

  /// Ends the thread after what it is doing, waiting included; not to be called after
  /// ``closeDescriptors()``.
  func raiseAndWake() {
    raise()
    shutdown(writer, Int32(SHUT_RDWR))
  }

  /// To be called when the thread has ended; closes once.
  func closeDescriptors() {
    guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    close(descriptor)
    close(writer)
  }
}
