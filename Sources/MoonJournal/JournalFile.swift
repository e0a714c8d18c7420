import Foundation
import GRDB
import Glibc
public import Moonwire
import Synchronization

/// A journal in one SQLite database, in WAL mode.
///
/// The file belongs to one program at a time, and only its owner can read it. Other programs can
/// read it meanwhile, if they open it with ``Use/reading``.
public final class JournalFile: JournalStore {
  /// What an acknowledged commit survives.
  public enum Durability: String, Sendable, CaseIterable {
    /// The end of the program, however it ends.
    case process
    /// A loss of power as well. Each write waits for the disk.
    case power
  }

  /// What a file is opened for.
  public enum Use: Sendable {
    /// A new session. The file must not exist, or be empty.
    case beginning
    /// Resuming the session in the file.
    case resuming
    /// Reading only.
    case reading
  }

  /// The path.
  public let name: String
  private let durability: Durability
  private let database: DatabaseQueue
  private let checkpoints: Checkpoints?
  private let lock: FileLock?
  private let size: Mutex<Int>

  /// Opens a journal.
  ///
  /// - Throws: ``JournalError``; the file is unchanged then.
  public init(
    _ path: String, for use: Use, durability: Durability = .process
  ) throws(JournalError) {
    name = path
    self.durability = durability
    if use == .beginning, (try? FileStatus(following: PathBytes(path)))?.size ?? 0 == 0,
      WriteAheadLog.holdsFrames(beside: path)
    {
      // It belongs to a journal that was moved away, and SQLite would delete it.
      throw JournalError(path + WriteAheadLog.suffixes[0], .exists)
    }
    do throws(JournalError.Reason) {
      let lock = use == .reading ? nil : try JournalFormat.lock(path, use)
      let kind = try JournalFormat.contents(of: path)
      switch (kind, use) {
      case (.journal, .beginning): throw .taken
      case (.nothing, .resuming), (.nothing, .reading): throw .empty
      case (.journal, _), (.nothing, .beginning): break
      }
      if use == .resuming, let damage = try WriteAheadLog.damage(beside: path) {
        throw .damaged(damage)
      }
      database =
        use == .reading
        ? try JournalFormat.openToRead(path, .whole)
        : try JournalFormat.open(path, use, durability)
      checkpoints = use == .reading ? nil : Checkpoints(of: path, database)
      self.lock = lock
      size = Mutex(try JournalFormat.byteCount(in: database))
    } catch {
      throw JournalError(path, error)
    }
  }

  /// Opens a part of a damaged journal for reading.
  ///
  /// - Throws: ``JournalError``
  init(_ path: String, reading part: JournalFormat.Part) throws(JournalError) {
    name = path
    durability = .process
    do throws(JournalError.Reason) {
      database = try JournalFormat.openToRead(path, part)
    } catch {
      throw JournalError(path, error)
    }
    checkpoints = nil
    lock = nil
    size = Mutex(0)
  }

  /// Whether a write takes microseconds: it does unless it waits for the disk.
  public var appendsBriefly: Bool { durability == .process }

  /// The approximate number of bytes in use.
  public var byteCount: Int { size.withLock { $0 } }

  /// Appends records in one transaction.
  ///
  /// - Throws: ``JournalError``; none is appended then.
  public func append(_ records: [JournalRecord]) throws(JournalError) {
    guard lock?.isInPlace ?? false else {
      throw JournalError(name, lock == nil ? .readOnly : .gone)
    }
    try attempt {
      try database.writeWithoutTransaction { database in
        // A single statement is a transaction by itself.
        guard records.count > 1 || database.isInsideTransaction else {
          return try RecordInsertion.insert(records[...], in: database)
        }
        let rest = RecordInsertion.rest(of: records, in: database)
        try RecordInsertion.transact(in: database) {
          try RecordInsertion.insert(rest, in: database)
          try database.commit()
        }
      }
    }
    let count = records.reduce(0) { $0 + $1.bytes.count }
    size.withLock { $0 += count }
    checkpoints?.note(count)
  }

  /// Inserts most of the records in a transaction that the next ``append(_:)`` commits.
  ///
  /// Any other use of the file before then rolls it back.
  public func announce(_ records: [JournalRecord]) {
    // Any failure recurs when the records are appended, and is thrown then.
    try? database.writeWithoutTransaction { database in
      let rest = RecordInsertion.rest(of: records, in: database)
      guard rest.count >= RecordInsertion.announcedCountMin else { return }
      try RecordInsertion.transact(in: database) {
        try RecordInsertion.insert(
          rest, in: database, rowCountMin: RecordInsertion.announcedCountMin)
      }
    }
  }

  /// Passes on the records from a number on, checking each.
  ///
  /// - Throws: ``JournalError``; the records before the error were passed on.
  public func read(
    from number: Int64, _ body: (JournalRecord) -> Bool
  ) throws(JournalError) {
    try attempt {
      try withoutTransaction { database in
        try RecordSelection.read(from: number, in: database, body)
      }
    }
  }

  /// Returns the numbers of the records that hold whole states, in order.
  ///
  /// - Throws: ``JournalError``
  public func stateNumbers() throws(JournalError) -> [Int64] {
    try attempt {
      try withoutTransaction { database in
        try Int64.fetchAll(
          database, sql: "SELECT number FROM records WHERE kind = 1 ORDER BY number")
      }
    }
  }

  /// Returns whether it holds no record at all.
  func hasNoRecords() throws(JournalError) -> Bool {
    var isEmpty = true
    try read(from: 0) { _ in
      isEmpty = false
      return false
    }
    return isEmpty
  }

  /// Returns the numbers of the records with whole states that can be found, in order.
  ///
  /// - Complexity: O(size of the file) if it is damaged.
  func foundStateNumbers() -> [Int64] {
    if let numbers = try? stateNumbers(), !numbers.isEmpty { return numbers }
    var numbers: [Int64] = []
    try? read(from: 0) { record in
      if record.kind == .state { numbers.append(record.number) }
      return true
    }
    return numbers
  }

  /// Removes all records before a number, and gives their space back to the system.
  ///
  /// It does so in parts, so that appending never waits long.
  ///
  /// - Throws: ``JournalError``
  public func removeRecords(before number: Int64) throws(JournalError) {
    while let part = try attempt({
      try withoutTransaction { try RecordRemoval.removeFirst(before: number, in: $0) }
    }) {
      size.withLock { $0 -= part }
      checkpoints?.note(part)
    }
    while let part = try attempt({ try withoutTransaction { try RecordRemoval.shrink($0) } }) {
      checkpoints?.note(part)
    }
    let count = try attempt { try JournalFormat.byteCount(in: database) }
    size.withLock { $0 = count }
  }

  /// Closes the file.
  public func close() {
    checkpoints?.close()
    // What hasn't been moved to the main file stays in the one beside it, and is found there.
    try? database.close()
    lock?.release()
  }

  /// Shrinks the file to the size of its records.
  ///
  /// - Throws: ``JournalError``
  public func compact() throws(JournalError) {
    try attempt {
      try withoutTransaction { try $0.execute(sql: "VACUUM") }
    }
    try gather()
  }

  /// Moves everything written into the file itself.
  ///
  /// - Throws: ``JournalError``
  func gather() throws(JournalError) {
    try attempt {
      try withoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }
  }

  /// Uses the database after rolling back any announced records.
  private func withoutTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try database.writeWithoutTransaction { database in
      if database.isInsideTransaction { try database.rollback() }
      return try body(database)
    }
  }

  private func attempt<Result>(_ body: () throws -> Result) throws(JournalError) -> Result {
    do {
      return try body()
    } catch {
      throw JournalError(name, JournalFormat.reason(for: error))
    }
  }
}
