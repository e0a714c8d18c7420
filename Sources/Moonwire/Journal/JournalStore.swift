import MoonActions
public import MoonModules

/// A store that keeps the records of one session, such as a file or a service on the network.
///
/// A store knows nothing about what records hold. A host calls it from one thread at a time, but
/// not always from the same. Only ``removeRecords(before:)`` may run while records are appended.
public protocol JournalStore: AnyObject, Sendable {
  /// The name of the store in messages, such as the path of a file.
  var name: String { get }

  /// Whether ``append(_:)`` takes microseconds, so that the host's thread may wait for it.
  var appendsBriefly: Bool { get }

  /// The number of bytes that all records take.
  var byteCount: Int { get }

  /// Appends records and returns once they are kept: all of them or none.
  ///
  /// Their numbers follow from one another, and from the last record in the store if there is one.
  ///
  /// - Throws: ``JournalError``.
  func append(_ records: [JournalRecord]) throws(JournalError)

  /// Tells which records the next ``append(_:)`` begins with, so that a store can do some of the
  /// work while others are made.
  ///
  /// That call passes them again, and they aren't kept before it. Without an implementation,
  /// nothing happens. A store whose ``appendsBriefly`` is true isn't told.
  func announce(_ records: [JournalRecord])

  /// Passes on records from a number on, in order, until there are no more or `body` returns false.
  ///
  /// - Throws: ``JournalError``; the records before the error were passed on.
  func read(from number: Int64, _ body: (JournalRecord) -> Bool) throws(JournalError)

  /// Returns the numbers of the records of whole states, in order.
  ///
  /// - Throws: ``JournalError``.
  func stateNumbers() throws(JournalError) -> [Int64]

  /// Removes all records before a number.
  ///
  /// - Throws: ``JournalError``.
  func removeRecords(before number: Int64) throws(JournalError)

  /// Ends the use of the store.
  func close()
}

extension JournalStore {
  /// Does nothing.
  public func announce(_ records: [JournalRecord]) {}
}

/// A record of a journal.
public struct JournalRecord: Sendable, Equatable {
  /// The kinds of records.
  public enum Kind: Int, Sendable {
    /// A whole state, to begin with.
    case state = 1
    /// A commit, or another change of the state.
    case change = 2
    /// What a durable task has learned, or a file that one needs.
    case task = 3
  }

  /// The numbers that records, and actions in them, may have.
  ///
  /// What counts on from such a number can't overflow.
  public static let numbers: ClosedRange<Int64> = Action.numbers

  /// The place in the journal, one of ``numbers``.
  public let number: Int64
  /// The kind.
  public let kind: Kind
  /// The text, one JSON object without line breaks.
  public let bytes: [UInt8]

  /// Makes a record.
  public init(number: Int64, kind: Kind, bytes: [UInt8]) {
    self.number = number
    self.kind = kind
    self.bytes = bytes
  }
}
