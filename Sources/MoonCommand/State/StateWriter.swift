import MoonPrompt
import Moonwire
import Synchronization

/// The part that writes the state once at the end of a run, whatever the cause.
final class StateWriter: Sendable {
  private let file: StateFile
  private let format: OutputFormat
  private let earlier: StateFile.EarlierFile
  private let last = Mutex(SavedState?.none)

  init(
    _ file: StateFile, format: OutputFormat, keepingEarlier earlier: StateFile.EarlierFile
  ) {
    self.file = file
    self.format = format
    self.earlier = earlier
  }

  /// Remembers the state after a line, in case the host is too busy to return it at the end.
  func note(_ state: SavedState) { last.withLock { $0 = state } }

  /// Closes a session and remembers the state that it ends with, in one step of the host; returns
  /// that state, nil if the session was closed before.
  func close(_ session: SessionID, on host: Host) async -> SavedState? {
    await host.perform { host in
      let state = host.closeSession(session)
      if let state { self.note(state) }
      return state
    }
  }

  /// Writes a state, or the last remembered one if it is nil.
  ///
  /// Does nothing on later calls.
  ///
  /// - Returns: The reports on it.
  func write(_ state: SavedState?) -> [Report] {
    do throws(StateFileError) {
      let state = state ?? last.withLock { $0 }
      return try file.write(state?.value ?? .map(Map()), format: format, keepingEarlier: earlier)
        .map(\.report)
    } catch {
      return [error.report]
    }
  }

  /// Removes the remains of an unfinished write.
  func abandon() { file.abandon() }
}
