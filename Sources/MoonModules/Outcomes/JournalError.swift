/// The reason that a journal can't be used.
public struct JournalError: Error, Sendable, Equatable {
  /// The kinds of reasons.
  public enum Reason: Error, Sendable, Equatable {
    /// There is no such file.
    case missing
    /// There is no directory to create it in.
    case noDirectory
    /// There is a file of that name already, which isn't written over.
    case exists
    /// There is no room left where the journal is.
    case full
    /// The journal can be read, but not written.
    case readOnly
    /// This program isn't allowed to read the journal.
    case unreadable
    /// Another program is using the journal.
    case inUse
    /// The journal was deleted, moved or replaced by another file while it was open.
    case gone
    /// The file isn't a journal.
    case foreign
    /// A later moonwire has written the journal; the number is that of its format.
    case laterFormat(Int)
    /// The journal already holds a session.
    case taken
    /// The journal holds no whole state to begin with.
    case empty
    /// The journal has no action in a range of ids.
    case noActions
    /// What stands on a line of a list of actions isn't an action.
    case invalidAction(line: Int, String)
    /// Some of the contents aren't what was written.
    case damaged(String)
    /// The system or the store reports another failure.
    case failed(String)
  }

  /// The name of the journal, such as the path of its file.
  public let journal: String
  /// The reason.
  public let reason: Reason

  /// Makes an error about a journal.
  public init(_ journal: String, _ reason: Reason) {
    self.journal = journal
    self.reason = reason
  }
}

extension JournalError: CustomStringConvertible {
  /// One sentence: the journal and the reason.
  public var description: String { "\(journal): \(reason)" }
}

extension JournalError.Reason: CustomStringConvertible {
  /// The reason in a few words.
  public var description: String {
    switch self {
    case .missing: "there is no such journal"
    case .noDirectory: "the file can't be created: its directory doesn't exist"
    case .exists: "there is a file already"
    case .full: "there is no room left for the journal"
    case .readOnly: "the journal can't be written"
    case .unreadable: "the journal can't be read: this user isn't allowed to"
    case .inUse: "another program is using the journal"
    case .gone: "the journal was deleted, moved or replaced while it was in use"
    case .foreign: "that isn't a journal"
    case .laterFormat(let number):
      "the journal has format \(number), which a later moonwire has written"
    case .taken: "the journal already holds a session"
    case .empty: "the journal holds no state to begin with"
    case .noActions: "there are no actions in that range"
    case .invalidAction(let line, let what): "line \(line): \(what)"
    case .damaged(let what): "the journal is damaged: \(what)"
    case .failed(let text): text
    }
  }
}
