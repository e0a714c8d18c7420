import CMoonSQLite
import Foundation
import GRDB
import Glibc
import Moonwire

/// The format of a journal's database: one table with a row for each record.
///
/// `sum` is the 64-bit FNV-1a hash of the number, the kind and the text; it reveals damage that
/// SQLite doesn't notice. SQLite's application id is the text `Moon`, and its user version is the
/// number of the format.
enum JournalFormat {
  /// The number of the format.
  ///
  /// Files of format 1 have no records of durable tasks. They become files of format 2 when their
  /// session is resumed.
  static let number = 2
  static let applicationID: UInt32 = 0x4D6F_6F6E

  /// The statement that inserts records, without its rows.
  static let insertion = "INSERT INTO records (number, kind, text, sum) VALUES "
  /// The statement that reads the records from a number on.
  static let selection =
    "SELECT number, kind, text, sum FROM records WHERE number >= ? ORDER BY number"

  private static let table = """
    CREATE TABLE records (
      number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, text BLOB NOT NULL, sum INTEGER NOT NULL)
    """
  private static let index = "CREATE INDEX states ON records (number) WHERE kind = 1"
  /// In one transaction, so that a program that is killed leaves a journal or an empty file.
  private static let creation = """
    PRAGMA auto_vacuum = INCREMENTAL;
    BEGIN IMMEDIATE;
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(number);
    \(table);
    \(index);
    COMMIT;
    """

  /// The contents of a file.
  enum Contents {
    case nothing
    case journal
  }

  /// The magic text that an SQLite database begins with.
  private static let magic = Array("SQLite format 3\0".utf8)
  private static let headerByteCount = 100

  /// Looks at the header of a file.
  ///
  /// - Throws: ``JournalError/Reason`` if the file isn't a journal that can be read.
  static func contents(of path: String) throws(JournalError.Reason) -> Contents {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw JournalError.Reason(reading: errno) }
    // Closed before SQLite takes any lock on the file.
    defer { Glibc.close(descriptor) }
    var header = [UInt8](repeating: 0, count: headerByteCount)
    let count = Glibc.read(descriptor, &header, header.count)
    guard count >= 0 else { throw JournalError.Reason(reading: errno) }
    if count == 0 { return .nothing }
    guard count == header.count, header.starts(with: magic),
      integer(at: 68, in: header) == applicationID
    else { throw .foreign }
    let version = Int(integer(at: 60, in: header))
    guard version <= number else { throw .laterFormat(version) }
    return .journal
  }

  private static func integer(at offset: Int, in header: [UInt8]) -> UInt32 {
    header[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The time in seconds that SQLite waits for other programs.
  private static let patience = 5.0

  private static func configuration(ofDamaged isDamaged: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    // Anyone may have made the file.
    configuration.prepareDatabase {
      // What remains of a damaged file is read with a setting that defence leaves out.
      let code = ResultCode(rawValue: msqlite_distrust($0.sqliteConnection, isDamaged ? 0 : 1))
      guard code == .SQLITE_OK else { throw DatabaseError(resultCode: code) }
      try $0.execute(sql: "PRAGMA cell_size_check = ON")
    }
    return configuration
  }

  /// Checks that a database has the table and the index of a journal, and nothing else: no view
  /// that never ends, and no trigger that removes what was kept.
  ///
  /// - Throws: ``JournalError/Reason/foreign``, or an error of the database.
  private static func checkSchema(of database: Database, _ part: Part) throws {
    let ours = [table, index].map(words)
    let sql = "SELECT sql FROM sqlite_master LIMIT \(ours.count + 1)"
    guard part == .whole else {
      // A damaged file may have lost some of it.
      let found = (try? String?.fetchAll(database, sql: sql)) ?? []
      guard found.allSatisfy({ ours.contains(words($0 ?? "")) }) else {
        throw JournalError.Reason.foreign
      }
      return
    }
    let found = try String?.fetchAll(database, sql: sql).map { words($0 ?? "") }
    guard
      found.sorted(by: { $0.lexicographicallyPrecedes($1) })
        == ours.sorted(by: { $0.lexicographicallyPrecedes($1) })
    else { throw JournalError.Reason.foreign }
  }

  private static func words(_ text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace)
  }

  /// Opens the database for writing, and makes its table if there is none.
  ///
  /// - Throws: ``JournalError/Reason``
  static func open(
    _ path: String, _ use: JournalFile.Use, _ durability: JournalFile.Durability
  ) throws(JournalError.Reason) -> DatabaseQueue {
    var configuration = configuration()
    // The transaction of announced records stays open until the others come.
    configuration.allowsUnsafeTransactions = true
    do {
      let database = try DatabaseQueue(path: path, configuration: configuration)
      try database.writeWithoutTransaction { database in
        if use == .beginning { try database.execute(sql: creation) }
        try checkSchema(of: database, .whole)
        // Only then, since a damaged file stays as it is.
        if try Int.fetchOne(database, sql: "PRAGMA user_version") != number {
          try database.execute(sql: "PRAGMA user_version = \(number)")
        }
        try database.execute(
          sql: """
            PRAGMA journal_mode = WAL;
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA synchronous = \(durability == .power ? "FULL" : "NORMAL");
            """)
      }
      return database
    } catch {
      throw reason(for: error)
    }
  }

  /// The part of a journal that is read.
  enum Part {
    /// Everything, if the file is whole.
    case whole
    /// What is left of a damaged file.
    case rest
    /// What is left of a damaged file without the one beside it, which may be damaged.
    case restAlone
  }

  /// Opens the database for reading.
  ///
  /// - Throws: ``JournalError/Reason``
  static func openToRead(
    _ path: String, _ part: Part
  ) throws(JournalError.Reason) -> DatabaseQueue {
    var configuration = configuration(ofDamaged: part != .whole)
    configuration.readonly = true
    configuration.prepareDatabase {
      // Without it, SQLite reads nothing of a truncated file.
      if part != .whole { try $0.execute(sql: "PRAGMA writable_schema = ON") }
      try checkSchema(of: $0, part)
    }
    do {
      guard part != .restAlone else {
        return try DatabaseQueue(path: lonely(path), configuration: configuration)
      }
      do {
        return try DatabaseQueue(path: path, configuration: configuration)
      } catch let error as DatabaseError
        where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
      {
        // No file can be made beside the journal. It is complete only if none is there.
        guard !WriteAheadLog.holdsFrames(beside: path) else {
          throw JournalError.Reason.failed(
            "the -wal file beside the journal can only be read where files can be made: copy both")
        }
        return try DatabaseQueue(path: lonely(path), configuration: configuration)
      }
    } catch {
      throw reason(for: error)
    }
  }

  /// Returns the name by which SQLite opens a file alone and without locking it.
  private static func lonely(_ path: String) -> String {
    let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    return (path.hasPrefix("/") ? "file://" : "file:") + name + "?immutable=1"
  }

  /// Returns the number of bytes in use.
  ///
  /// - Throws: ``JournalError/Reason``
  static func byteCount(in database: DatabaseQueue) throws(JournalError.Reason) -> Int {
    do {
      return try database.writeWithoutTransaction { database in
        let numbers = try ["page_count", "freelist_count", "page_size"].map {
          try Int.fetchOne(database, sql: "PRAGMA \($0)") ?? 0
        }
        return (numbers[0] - numbers[1]) * numbers[2]
      }
    } catch {
      throw reason(for: error)
    }
  }

  /// Returns the hash that is stored with a record.
  static func sum(of record: JournalRecord) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in [UInt64(bitPattern: record.number), UInt64(record.kind.rawValue)] {
      sum = (sum ^ part) &* 0x0000_0100_0000_01b3
    }
    record.bytes.withUnsafeBufferPointer { bytes in
      for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
    return sum
  }

  /// Locks a journal for this program; creates a new one.
  ///
  /// - Throws: ``JournalError/Reason``
  static func lock(_ path: String, _ use: JournalFile.Use) throws(JournalError.Reason) -> FileLock {
    do throws(SystemError) {
      let lock = try FileLock(path, creating: use == .beginning)
      // Reading a journal that couldn't be written has left files of its mode.
      for suffix in WriteAheadLog.suffixes { chmod(path + suffix, PrivateFile.mode) }
      return lock
    } catch {
      switch error.code {
      case EWOULDBLOCK: throw .inUse
      case let code where use == .beginning: throw JournalError.Reason(creating: code)
      case let code: throw JournalError.Reason(errno: code)
      }
    }
  }

  /// Returns the reason for an error thrown by reading or writing.
  static func reason(for error: any Error) -> JournalError.Reason {
    if let reason = error as? JournalError.Reason { return reason }
    guard let error = error as? DatabaseError else { return .failed("\(error)") }
    let text = error.message ?? "\(error.resultCode)"
    switch error.extendedResultCode {
    case .SQLITE_READONLY_DBMOVED: return .gone
    // Programs share memory through a file, for which there is no room.
    case .SQLITE_IOERR_SHMSIZE: return .full
    default: break
    }
    switch error.resultCode {
    case .SQLITE_FULL: return .full
    case .SQLITE_READONLY, .SQLITE_PERM: return .readOnly
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .inUse
    case .SQLITE_NOTADB: return .foreign
    case .SQLITE_CORRUPT: return .damaged(text)
    default: return .failed(text)
    }
  }
}

extension JournalError.Reason {
  /// Makes the reason for a system error in creating a file.
  init(creating code: Int32) { self = code == ENOENT ? .noDirectory : .init(errno: code) }

  /// Makes the reason for a system error in reading a file.
  init(reading code: Int32) {
    self = [EACCES, EPERM].contains(code) ? .unreadable : .init(errno: code)
  }

  /// Makes the reason for a system error.
  init(errno code: Int32) {
    self =
      switch code {
      case ENOENT: .missing
      case EISDIR: .foreign
      case EACCES, EPERM, EROFS: .readOnly
      case ENOSPC, EDQUOT: .full
      default: .failed("\(SystemError(code: code))")
      }
  }
}
