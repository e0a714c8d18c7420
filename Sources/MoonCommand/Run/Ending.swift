import Dispatch
import Glibc
import Moonwire
import Synchronization

/// Ends the program when a signal asks for it.
final class Ending: Sendable {
  /// How long modules have for their `on_stop` before the program ends without waiting for them.
  static let patience: DispatchTimeInterval = .milliseconds(1_500)

  /// How often what runs is interrupted until the host is free.
  private static let interruptInterval: DispatchTimeInterval = .milliseconds(20)

  private static let hasBegun = Atomic(false)

  private let host: Host
  private let terminal: TerminalModes
  /// What is left to do before the host is closed.
  private let work = Mutex<(@Sendable () async -> Void)?>(nil)

  init(_ host: Host, _ terminal: TerminalModes) {
    self.host = host
    self.terminal = terminal
  }

  /// Lets a signal that is ending the program decide about the exit code.
  ///
  /// What was running returns when it is interrupted; it mustn't end the program first.
  /// Nor shall anything new begin.
  static func giveWay() async {
    guard hasBegun.load(ordering: .acquiring) else { return }
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
  }

  /// Names what is to be done first, while the sessions are open.
  func first(_ work: @escaping @Sendable () async -> Void) { self.work.withLock { $0 = work } }

  /// Interrupts what runs, closes the host and ends the program as the signal wants it.
  func end(signal: Int32) -> Never {
    Self.hasBegun.store(true, ordering: .releasing)
    host.interrupt()
    terminal.restore()
    let (isKept, isClosed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let work = work.withLock { $0 }
    Task.detached { [host] in
      await host.perform { _ in }
      await work?()
      isKept.signal()
      await host.close()
      isClosed.signal()
    }
    let deadline = DispatchTime.now() + Self.patience
    // Again and again: what was asked for just before the signal may begin only now.
    while isKept.wait(timeout: min(deadline, .now() + Self.interruptInterval)) == .timedOut,
      DispatchTime.now() < deadline
    { host.interrupt() }
    _ = isClosed.wait(timeout: deadline)
    _exit(ExitStatus.signal(signal))
  }
}
