import Dispatch
import Glibc
import MoonBuiltIns
import MoonTerminal
import Moonwire
import Synchronization

/// The life of a program that runs an app, as far as its session is told of it.
final class AppLife: Sendable {
  /// The time for the session to hear of an event before the program is stopped.
  private static let patience: DispatchTimeInterval = .milliseconds(500)

  /// The one that the signals of the process are about; nil for none.
  private static let current = Mutex<AppLife?>(nil)

  private let session: SessionID
  private let host: Host
  private let hasToldEnd = Atomic(false)

  init(_ session: SessionID, _ host: Host) {
    self.session = session
    self.host = host
  }

  /// Tells the session when the program is stopped for a while, and when it goes on.
  func begin() {
    Self.current.withLock { $0 = self }
    LineEditor.beforeStop { AppLife.waitForSuspension() }
    Signals.listenForStops { number in
      if number == SIGTSTP {
        Self.waitForSuspension()
        // The terminal has sent the signal to the other processes of the job itself.
        kill(getpid(), SIGSTOP)
      } else if let life = Self.current.withLock({ $0 }) {
        Task { await life.tell(.resumed) }
      }
    }
  }

  /// Tells the session of an event; of the end of the program once, whatever leads to it.
  func tell(_ event: ProgramEvent) async {
    guard Self.current.withLock({ $0 === self }) else { return }
    if event == .willTerminate, hasToldEnd.exchange(true, ordering: .relaxed) { return }
    await event.announce(in: session, on: host)
  }

  private static func waitForSuspension() {
    guard let life = current.withLock({ $0 }) else { return }
    let isTold = DispatchSemaphore(value: 0)
    Task.detached {
      await life.tell(.suspended)
      isTold.signal()
    }
    _ = isTold.wait(timeout: .now() + patience)
  }
}
