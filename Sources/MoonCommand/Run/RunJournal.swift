import Glibc
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
    case .new(let named), .existing(let named), .kept(let named), .recording(let named, _):
      path = named
    case .last:
      guard let known = last?.path else { throw .noLastJournal(directory: directory) }
      path = known
    }
    do throws(JournalError) {
      var damage: RecoveredJournal.Damage?
      var emptiness: Report?
      switch setting.place {
      case .recording(_, let redaction):
        store = try RecordingFile(path, redaction: redaction)
        isResumed = false
      case .kept where !Self.isThere(path), .new:
        store = try JournalFile(path, for: .beginning, durability: setting.level)
        isResumed = false
      case .existing, .last, .kept:
        let recovered = try RecoveredJournal(path, durability: setting.level)
        store = recovered.file
        damage = recovered.damage
        let mayBegin: Bool = if case .kept = setting.place { true } else { false }
        isResumed = !(mayBegin && recovered.isEmpty)
        if !isResumed { emptiness = Self.emptiness(of: path) }
      }
      warning = damage?.report(of: path) ?? emptiness
    } catch {
      throw .journal(error)
    }
    if !(store is RecordingFile) { last?.note(path) }
  }

  /// The warning about a journal that should have had a session to resume.
  private static func emptiness(of path: String) -> Report {
    Report(
      .warning, "the journal \(path) held nothing, so a new session begins",
      detail: "the run that made it ended before its first record")
  }

  /// Whether there is something of a journal at a path.
  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    // The file beside it has the latest records of a killed program.
    return stat(path, &status) == 0 && status.st_size > 0 || access("\(path)-wal", F_OK) == 0
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
