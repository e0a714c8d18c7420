import Dispatch
import Glibc
import Moonwire
import Synchronization

/// Ends the program when a signal asks for it.
final class Termination: Sendable {
  /// How long the host is waited for, and modules have for their `on_stop`.
  static let gracePeriod: DispatchTimeInterval = .milliseconds(1_500)

  /// How often what runs is interrupted until the host is free.
  private static let interruptInterval: DispatchTimeInterval = .milliseconds(20)

  private static let hasBegun = Atomic(false)

  private let host: Host
  private let terminal: TerminalModes
  /// What is done before the host is closed.
  private let finalWork = Mutex<(@Sendable () async -> Void)?>(nil)

  init(_ host: Host, _ terminal: TerminalModes) {
    self.host = host
    self.terminal = terminal
  }

  /// Waits for the end of the program if a signal is termination it; returns at once otherwise.
  ///
  /// Work that the signal has interrupted returns. It must neither begin anything new nor end the
  /// program, because the signal decides on the exit code.
  static func waitIfBegun() async {
    guard hasBegun.load(ordering: .acquiring) else { return }
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
  }

  /// Sets what is done before the host is closed, while its sessions are open.
  func setFinalWork(_ work: @escaping @Sendable () async -> Void) {
    finalWork.withLock { $0 = work }
  }

  /// Interrupts what runs, closes the host and ends the program with the code of the signal.
  func end(signal: Int32) -> Never {
    Self.hasBegun.store(true, ordering: .releasing)
    host.interrupt()
    terminal.restore()
    let (isKept, isClosed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let work = finalWork.withLock { $0 }
    Task.detached { [host] in
      await host.perform { _ in }
      await work?()
      isKept.signal()
      await host.close()
      isClosed.signal()
    }
    let deadline = DispatchTime.now() + Self.gracePeriod
    // Again and again: what was asked for just before the signal may begin only now.
    while isKept.wait(timeout: min(deadline, .now() + Self.interruptInterval)) == .timedOut,
      DispatchTime.now() < deadline
    { host.interrupt() }
    _ = isClosed.wait(timeout: deadline)
    _exit(ExitStatus.signal(signal))
  }
}
