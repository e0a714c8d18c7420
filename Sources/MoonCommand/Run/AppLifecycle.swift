import Dispatch
import Glibc
import MoonBuiltIns
import MoonTerminal
import Moonwire
import Synchronization

/// The life of a program that runs an app, as far as its session is told of it.
final class AppLifecycle: Sendable {
  /// The time for the session to hear of an event before the program is stopped.
  private static let patience: DispatchTimeInterval = .milliseconds(500)

  /// The one that the signals of the process are about; nil for none.
  private static let current = Mutex<AppLifecycle?>(nil)

  private let session: SessionID
  private let host: Host
  private let hasToldEnd = Atomic(false)
  /// The announcement that began last.
  private let latest = Mutex<Task<Void, Never>?>(nil)

  init(_ session: SessionID, _ host: Host) {
    self.session = session
    self.host = host
  }

  /// Tells the session when the program is suspended, and when it resumes.
  func begin() {
    Self.current.withLock { $0 = self }
    LineEditor.beforeStop { AppLifecycle.waitForSuspension() }
    Signals.listenForStops { number in
      if number == SIGTSTP {
        Self.waitForSuspension()
        // The terminal itself has sent the signal to the other processes of the job.
        kill(getpid(), SIGSTOP)
      } else if let life = Self.current.withLock({ $0 }) {
        life.announce(.resumed)
      }
    }
  }

  /// Tells the session of an event; of the end of the program only once, whatever causes it.
  func tell(_ event: ProgramEvent) async {
    guard Self.current.withLock({ $0 === self }) else { return }
    if event == .willTerminate, hasToldEnd.exchange(true, ordering: .relaxed) { return }
    await announce(event).value
  }

  /// Starts to tell the session of an event, after all earlier events.
  ///
  /// If the program is stopped before its session has heard of it, the session hears of both events
  /// after the program resumes.
  @discardableResult
  private func announce(_ event: ProgramEvent) -> Task<Void, Never> {
    latest.withLock { latest in
      let task = Task { [latest, session, host] in
        await latest?.value
        await event.announce(in: session, on: host)
      }
      latest = task
      return task
    }
  }

  private static func waitForSuspension() {
    guard let life = current.withLock({ $0 }) else { return }
    let isTold = DispatchSemaphore(value: 0)
    let announcement = life.announce(.suspended)
    Task.detached {
      await announcement.value
      isTold.signal()
    }
    _ = isTold.wait(timeout: .now() + patience)
  }
}
