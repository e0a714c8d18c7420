import Dispatch
import Glibc
import MoonBuiltIns
import MoonPrompt
import Moonwire
import Synchronization

/// The end of the program by a signal.
final class Termination: Sendable {
  /// The time for the host to finish its work and then for modules to run `on_stop`.
  static let hostPeriod: DispatchTimeInterval = .milliseconds(1_500)
  /// The time limit for writing the state.
  static let writePeriod: DispatchTimeInterval = .seconds(5)

  /// The time between interruptions until the host is free.
  private static let interruptInterval: DispatchTimeInterval = .milliseconds(20)

  private static let hasBegun = Atomic(false)

  /// The parts to close at the end.
  private struct Parts {
    var session: SessionID?
    var stateWriter: StateWriter?
    var lifecycle: AppLifecycle?
    var serving: Serving?
  }

  private let host: Host
  private let terminal: TerminalModes
  private let report: @Sendable (Report) -> Void
  private let parts = Mutex(Parts())

  init(_ host: Host, _ terminal: TerminalModes, report: @escaping @Sendable (Report) -> Void) {
    self.host = host
    self.terminal = terminal
    self.report = report
  }

  /// Waits for the end of the program if a signal is ending it; otherwise returns at once.
  ///
  /// Code that the signal has interrupted calls this. It must neither begin new work nor end the
  /// program, because the signal determines the exit code.
  static func waitIfBegun() async {
    if hasBegun.load(ordering: .acquiring) { await wait() }
  }

  /// Waits for the end of the program by a signal that was sent.
  static func wait() async {
    // A cancellation ends a sleep at once, so that a host that only waits needn't wake up.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
  }

  /// Registers a session's state to be written before the program ends.
  func keep(_ session: SessionID, _ stateWriter: StateWriter) {
    parts.withLock { ($0.session, $0.stateWriter) = (session, stateWriter) }
  }

  /// Has a session told before the program ends.
  func announce(by lifecycle: AppLifecycle) { parts.withLock { $0.lifecycle = lifecycle } }

  /// Has clients make no more requests when the program ends.
  func end(_ serving: Serving) { parts.withLock { $0.serving = serving } }

  /// Interrupts running code, stops the modules, writes the resulting state, closes the host and
  /// ends the program with the signal's exit code.
  ///
  /// Takes at most ``hostPeriod`` and ``writePeriod``. If the host isn't free by then, only its
  /// current work is lost: the state after the last line is written, or if modules take too long to
  /// stop, the state before they did.
  func end(signal: Int32) -> Never {
    // The first of several signals decides.
    if Self.hasBegun.exchange(true, ordering: .acquiringAndReleasing) { while true { pause() } }
    host.interrupt()
    terminal.restore()
    let parts = parts.withLock { $0 }
    parts.serving?.end()
    let (isFree, isStopped, isWritten, isClosed) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0),
      DispatchSemaphore(value: 0)
    )
    Task.detached { [host, report] in
      await parts.lifecycle?.tell(.willTerminate)
      let state = await host.perform { host in parts.session.flatMap { host.savedState(of: $0) } }
      if let state { parts.stateWriter?.note(state) }
      // From here on nothing is interrupted: the modules have their time to stop.
      isFree.signal()
      if let stateWriter = parts.stateWriter, let session = parts.session {
        _ = await stateWriter.close(session, on: host)
      }
      isStopped.signal()
      for problem in parts.stateWriter?.write(nil) ?? [] { report(problem) }
      isWritten.signal()
      await host.close()
      isClosed.signal()
    }
    let deadline = DispatchTime.now() + Self.hostPeriod
    if let complaint = complaint(isFree, isStopped, until: deadline),
      let stateWriter = parts.stateWriter
    {
      report(Report(.warning, complaint))
      DispatchQueue.global().async { [report] in
        for problem in stateWriter.write(nil) { report(problem) }
        isWritten.signal()
      }
    }
    if isWritten.wait(timeout: .now() + Self.writePeriod) == .timedOut {
      parts.stateWriter?.abandon()
    }
    _ = isClosed.wait(timeout: deadline)
    _exit(ExitStatus.signal(signal))
  }

  /// Waits for the modules to stop; returns the cause of a delay that is too long, or nil.
  private func complaint(
    _ isFree: DispatchSemaphore, _ isStopped: DispatchSemaphore, until deadline: DispatchTime
  ) -> String? {
    guard waitInterrupting(for: isFree, until: deadline) else {
      return "the host is busy: the state after the last finished line is written"
    }
    guard isStopped.wait(timeout: deadline) == .timedOut else { return nil }
    return "modules take too long to stop: the state before they did is written"
  }

  /// Interrupts repeatedly, because work that was requested just before the signal may begin only
  /// now.
  private func waitInterrupting(
    for isFree: DispatchSemaphore, until deadline: DispatchTime
  ) -> Bool {
    while isFree.wait(timeout: min(deadline, .now() + Self.interruptInterval)) == .timedOut {
      guard DispatchTime.now() < deadline else { return false }
      host.interrupt()
    }
    return true
  }
}
