import Moonwire
import Synchronization

/// Writes the state at the end of a run, once, whatever ends it.
final class StateKeeper: Sendable {
  private let file: StateFile
  private let format: RunOptions.Format
  private let earlier: StateFile.EarlierFile
  private let last = Mutex(SavedState?.none)

  init(
    _ file: StateFile, format: RunOptions.Format, keepingEarlier earlier: StateFile.EarlierFile
  ) {
    self.file = file
    self.format = format
    self.earlier = earlier
  }

  /// Remembers the state after a line, for an end that the host is too busy to answer at.
  func note(_ state: SavedState) { last.withLock { $0 = state } }

  /// Writes a state, or the last one that was noted if it is nil; does nothing the second time.
  ///
  /// - Returns: What is to be told about it.
  func write(_ state: SavedState?) -> [Report] {
    do throws(StateFileError) {
      let state = state ?? last.withLock { $0 }
      return try file.write(state?.value ?? .map(Map()), format: format, keepingEarlier: earlier)
        .map(\.report)
    } catch {
      return [error.report]
    }
  }

  /// Clears away what a write has begun that won't be finished.
  func abandon() { file.abandon() }
}
