import Dispatch
import Glibc
import Moonwire

/// Ends the program when a signal asks for it.
enum Ending {
  /// How long modules have for their `stop` before the program ends without waiting for them.
  static let patience: DispatchTimeInterval = .milliseconds(1_500)

  static func end(_ host: Host, _ terminal: TerminalModes, signal: Int32) -> Never {
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
