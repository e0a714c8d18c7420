import MoonJournal
import MoonPrompt
import Moonwire

/// The journal of a run.
struct RunJournal: Sendable {
  private let store: any JournalStore
  private let isResumed: Bool
  /// The name of the file.
  var name: String { store.name }
  private let limits: JournalLimits
  /// The warning about damage that was found; nil if there was none.
  let warning: Report?

  /// Opens the journal, and remembers it as the last one of the script directory.
  ///
  /// - Throws: ``RunError/journal(_:)`` or ``RunError/noLastJournal(directory:)``
  init(_ setting: JournalSetting, for directory: String, data: String?) throws(RunError) {
    limits = setting.limits
    let last = data.map(LastJournal.init(in:))
    let path: String
    switch setting.place {
    case .new(let named), .existing(let named), .recording(let named, _): path = named
    case .last:
      guard let known = last?.path else { throw .noLastJournal(directory: directory) }
      path = known
    }
    do throws(JournalError) {
      var damage: RecoveredJournal.Damage?
      switch setting.place {
      case .new: store = try JournalFile(path, for: .beginning, durability: setting.level)
      case .recording(_, let redaction): store = try RecordingFile(path, redaction: redaction)
      case .existing, .last:
        let recovered = try RecoveredJournal(path, durability: setting.level)
        store = recovered.file
        damage = recovered.damage
      }
      warning = damage?.report(of: path)
    } catch {
      throw .journal(error)
    }
    switch setting.place {
    case .new, .recording: isResumed = false
    case .existing, .last: isResumed = true
    }
    if !(store is RecordingFile) { last?.note(path) }
  }

  /// Opens the session that the journal keeps.
  ///
  /// - Throws: ``RunError/journal(_:)``
  func openSession(on host: Host) async throws(RunError) -> SessionID {
    let journal = Journal(in: store, limits: limits)
    do throws(JournalError) {
      return isResumed
        ? try await journal.resumeSession(on: host) : try await journal.openSession(on: host)
    } catch {
      throw .journal(error)
    }
  }

  /// Checks that what the session has committed is in the file.
  ///
  /// - Throws: ``RunError/journal(_:)``
  func check(_ session: SessionID, on host: Host) async throws(RunError) {
    do throws(JournalError) {
      if let failure = await Journal.failure(of: session, on: host) { throw failure }
      try (store as? RecordingFile)?.check()
    } catch {
      throw .journal(error)
    }
  }

  /// Closes the file.
  func close() { store.close() }
}
