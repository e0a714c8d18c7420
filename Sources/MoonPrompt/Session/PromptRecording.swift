import MoonJournal
import Synchronization

/// The recording that a person has begun at the prompt.
final class PromptRecording: Sendable {
  private let file = Mutex<RecordingFile?>(nil)

  /// The path of the file; nil if nothing is being recorded, or the recording had to end.
  var path: String? { file.withLock { $0.flatMap { $0.hasFailed ? nil : $0.name } } }

  /// Notes that a recording has begun.
  func note(_ begun: RecordingFile) { file.withLock { $0 = begun } }

  /// Returns the recording and forgets it; nil if it had already ended.
  func take() -> RecordingFile? {
    file.withLock { file in
      defer { file = nil }
      return file.flatMap { $0.hasFailed ? nil : $0 }
    }
  }
}
