import Dispatch
import Glibc

/// A thread of our own, which may block, and the wait for its end.
final class ThreadEnd: Sendable {
  private let group = DispatchGroup()

  init() { group.enter() }

  /// Waits until the thread has ended.
  func wait() { group.wait() }

  /// Starts a thread; returns false if the system has none left.
  static func start(
    stackBytes: Int, telling end: ThreadEnd, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let start = Unmanaged.passRetained(Start(body, end))
    var thread: pthread_t = 0
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let code = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    if code != 0 { start.release() }
    return code == 0
  }

  private final class Start: Sendable {
    private let body: @Sendable () -> Void
    private let end: ThreadEnd

    init(_ body: @escaping @Sendable () -> Void, _ end: ThreadEnd) {
      (self.body, self.end) = (body, end)
    }

    func run() {
      // Signals are for the program's other threads.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      body()
      end.group.leave()
    }
  }
}
