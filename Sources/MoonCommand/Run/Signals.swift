import Dispatch
import Glibc
import Synchronization

/// The delivery of the signals that end or stop the program to ordinary code.
enum Signals {
  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let stopping = [SIGTSTP, SIGCONT]

  // The pipes that the handler writes to. A signal handler can use little more than atomics.
  private static let sink = Atomic<Int32>(-1)
  private static let stopSink = Atomic<Int32>(-1)

  /// Calls `handler` for each signal, one after another, on a thread of its own.
  ///
  /// A signal that the process was started to ignore stays ignored. Must be called only once.
  static func listen(_ handler: @escaping @Sendable (Int32) -> Void) {
    catchSignals(ending, sink, "moonwire.signals", handler)
  }

  /// Calls `handler` in the same way for the signals that suspend and resume a program.
  ///
  /// The handler stops the program itself. Must be called only once.
  static func listenForStops(_ handler: @escaping @Sendable (Int32) -> Void) {
    catchSignals(stopping, stopSink, "moonwire.stops", handler)
  }

  private static func catchSignals(
    _ numbers: [Int32], _ sink: borrowing Atomic<Int32>, _ label: String,
    _ handler: @escaping @Sendable (Int32) -> Void
  ) {
    var ends: [Int32] = [-1, -1]
    // Without descriptors, the signals keep their default effect.
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    sink.store(ends[1], ordering: .releasing)
    for number in numbers where !isIgnored(number) { catchSignal(number) }
    DispatchQueue(label: label).async { [source = ends[0]] in
      unblock(numbers)
      var byte: UInt8 = 0
      while true {
        let count = read(source, &byte, 1)
        if count == 1 { handler(Int32(byte)) }
        if count == 0 || (count < 0 && errno != EINTR) { return }
      }
    }
  }

  /// Calls `handler` as for SIGHUP once the terminal is gone.
  ///
  /// The system sends the signal only to some processes, and a busy program doesn't notice the end
  /// of its input. This uses a thread.
  static func listenForHangUp(
    of terminal: Int32, _ handler: @escaping @Sendable (Int32) -> Void
  ) {
    DispatchQueue(label: "moonwire.terminal").async {
      while true {
        // No event is requested, since the hang-up is always reported.
        var source = pollfd(fd: terminal, events: 0, revents: 0)
        let count = poll(&source, 1, -1)
        if count > 0 { return handler(SIGHUP) }
        if count < 0, errno != EINTR, errno != EAGAIN { return }
      }
    }
  }

  /// Sends SIGQUIT to all processes of the terminal's foreground job, as Ctrl-\ does.
  ///
  /// - Returns: Whether it ends this process.
  static func quitJob() -> Bool {
    kill(0, SIGQUIT)
    return !isIgnored(SIGQUIT)
  }

  /// Unblocks signals that the process inherited as blocked.
  private static func unblock(_ numbers: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
  }

  private static func catchSignal(_ number: Int32) {
    var action = sigaction()
    action.sa_flags = SA_RESTART
    action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      let isStop = number == SIGTSTP || number == SIGCONT
      let pipe =
        isStop
        ? Signals.stopSink.load(ordering: .relaxed) : Signals.sink.load(ordering: .relaxed)
      _ = write(pipe, &byte, 1)
      errno = saved
    }
    sigaction(number, &action, nil)
  }
}
