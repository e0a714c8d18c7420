import Dispatch
import Glibc
import Moonwire
import Synchronization

/// Ends the program when a signal asks for it.
enum Ending {
  /// How long modules have for their `stop` before the program ends without waiting for them.
  static let patience: DispatchTimeInterval = .milliseconds(1_500)

  private static let hasBegun = Atomic(false)

  /// Lets a signal that is ending the program decide about the exit code.
  ///
  /// What was running returns when it is interrupted; it mustn't end the program first.
  static func giveWay() async {
    guard hasBegun.load(ordering: .acquiring) else { return }
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
  }

  static func end(_ host: Host, _ terminal: TerminalModes, signal: Int32) -> Never {
    hasBegun.store(true, ordering: .releasing)
    host.interrupt()
    terminal.restore()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      await host.close()
      done.signal()
    }
    _ = done.wait(timeout: .now() + patience)
    _exit(ExitStatus.signal(signal))
  }
}
