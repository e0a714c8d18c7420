import Moonwire
import Synchronization

/// The sessions whose screens are watched for the prompts of clients.
///
/// A watch draws the screen after each change, so it ends with the last of the prompts.
final class ScreenWatches: Sendable {
  private let counts = Mutex<[SessionID: Int]>([:])

  func begin(of session: SessionID, on host: Host) async {
    counts.withLock { $0[session, default: 0] += 1 }
    await host.watchScreen(of: session)
  }

  func end(of session: SessionID, on host: Host) {
    Task {
      await host.perform { host in
        // Decided on the host, where nothing comes between this and a beginning.
        let isLast = self.counts.withLock { counts in
          let count = (counts[session] ?? 1) - 1
          counts[session] = count > 0 ? count : nil
          return count <= 0
        }
        if isLast { session.endScreenWatch(on: host) }
      }
    }
  }
}
