import Dispatch
import Glibc
import Synchronization

/// Delivers the signals that end the program to ordinary code.
enum Signals {
  private static let handled = [SIGINT, SIGTERM, SIGHUP]

  // The pipe that the handler writes to: a signal handler may touch little more than an atomic.
  private static let sink = Atomic<Int32>(-1)

  /// Calls `handler` for each signal, one after another, on a thread of its own.
  ///
  /// A signal that the process was started to ignore stays ignored. Must be called only once.
  static func listen(_ handler: @escaping @Sendable (Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    // Without descriptors the signals keep their ordinary effect.
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    sink.store(ends[1], ordering: .releasing)
    for number in handled { catchSignal(number) }
    DispatchQueue(label: "moonwire.signals").async { [source = ends[0]] in
      var byte: UInt8 = 0
      while true {
        let count = read(source, &byte, 1)
        if count == 1 { handler(Int32(byte)) }
        if count == 0 || (count < 0 && errno != EINTR) { return }
      }
    }
  }

  private static func catchSignal(_ number: Int32) {
    var old = sigaction()
    sigaction(number, nil, &old)
    if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1 { return }  // SIG_IGN
    var action = sigaction()
    action.sa_flags = SA_RESTART
    action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(Signals.sink.load(ordering: .relaxed), &byte, 1)
      errno = saved
    }
    sigaction(number, &action, nil)
  }
}
