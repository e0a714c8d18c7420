import Glibc
import Synchronization

/// A request to one thread, which may be blocked in poll(2), to end.
final class StopSignal: Sendable {
  /// Becomes readable when the signal is raised.
  let descriptor: Int32

  private let writer: Int32
  private let raised = Atomic(false)
  private let closed = Atomic(false)

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    // A pair of sockets, because it can be made close-on-exec in one call and a pipe can't.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .latest }
    descriptor = ends[0]
    writer = ends[1]
  }

  deinit {
    closeDescriptors()
  }

  var isRaised: Bool { raised.load(ordering: .acquiring) }

  /// Asks the thread to end after its current work, without waking it.
  ///
  /// This is for calls on the thread itself.
  func raise() {
    raised.store(true, ordering: .releasing)
  }

  /// Asks the thread to end after its current work, and wakes it.
  ///
  /// Must not be called after ``closeDescriptors()``.
  func raiseAndWake() {
    raise()
    shutdown(writer, Int32(SHUT_RDWR))
  }

  /// Closes the descriptors, once.
  ///
  /// Call it when the thread has ended.
  func closeDescriptors() {
    guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    close(descriptor)
    close(writer)
  }
}
