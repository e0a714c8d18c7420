import Glibc

/// A thread of our own, for work that may block.
///
/// Whoever starts one calls either ``join()`` or ``detach()``, once.
package struct SystemThread: Sendable {
  private let thread: pthread_t

  /// Whether the caller runs on this thread.
  package var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

  /// Starts a thread; without a size, its stack has the system's.
  ///
  /// - Throws: ``SystemError`` if the system has no thread left.
  package init(
    stackBytes: Int? = nil, _ body: sending @escaping () -> Void
  ) throws(SystemError) {
    // The thread inherits a mask that blocks every signal, which leaves signals to threads whose
    // system calls and handlers expect them.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    defer {
      pthread_attr_destroy(attributes)
      attributes.deallocate()
    }
    if let stackBytes { pthread_attr_setstacksize(attributes, stackBytes) }
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(body))
    let code = pthread_create(
      &thread, attributes,
      { context in
        if let context { Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw SystemError(code: code)
    }
    self.thread = thread
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(thread, nil) }

  /// Leaves the thread to end by itself.
  package func detach() { pthread_detach(thread) }

  private final class Start {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
  }
}
