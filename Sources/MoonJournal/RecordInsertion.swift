import GRDB
import GRDBSQLite
import Moonwire

/// Inserts records.
///
/// SQLite's own functions run its statements. GRDB's copy the bytes twice, which takes longer than
/// the insertion. One statement for many rows is faster than one for each.
enum RecordInsertion {
  private static let columnCount = 4

  /// The statements for several rows, the largest first, and the one for a single row.
  private static let statements = [64, 16, 4, 1].map { (rowCount: $0, sql: text(rowCount: $0)) }

  private static func text(rowCount: Int) -> String {
    let row = "(" + Array(repeating: "?", count: columnCount).joined(separator: ", ") + ")"
    return JournalFormat.insertion + Array(repeating: row, count: rowCount).joined(separator: ", ")
  }

  /// The minimum number of records that are inserted before the others are known: the rows of a
  /// fast statement.
  static let announcedCountMin = 16

  /// Returns the records that the open transaction, if there is one, lacks.
  ///
  /// A transaction is open only while it has records.
  static func rest(
    of records: [JournalRecord], in database: Database
  ) -> ArraySlice<JournalRecord> {
    guard database.isInsideTransaction else { return records[...] }
    let last = database.lastInsertedRowID
    return records.drop { $0.number <= last }
  }

  /// Runs `body` in the open transaction, or in a new one; if it fails, no transaction stays open.
  static func transact(in database: Database, _ body: () throws -> Void) throws {
    do {
      if !database.isInsideTransaction { try database.beginTransaction(.immediate) }
      try body()
    } catch {
      if database.isInsideTransaction { try? database.rollback() }
      throw error
    }
  }

  /// Inserts records, with several statements if necessary.
  ///
  /// With a minimum, it leaves out the last records, which would take statements with fewer rows.
  static func insert(
    _ records: ArraySlice<JournalRecord>, in database: Database, rowCountMin: Int = 1
  ) throws {
    var rest = records
    for (rowCount, sql) in statements where rowCount >= rowCountMin && rest.count >= rowCount {
      let statement = try database.cachedStatement(sql: sql)
      while rest.count >= rowCount {
        try run(statement.sqliteStatement, rest.prefix(rowCount))
        rest = rest.dropFirst(rowCount)
      }
    }
  }

  /// Runs a statement with a row for each of the records.
  private static func run(
    _ statement: OpaquePointer, _ records: ArraySlice<JournalRecord>
  ) throws {
    defer {
      sqlite3_reset(statement)
      // The statement must not keep the addresses of the bytes.
      sqlite3_clear_bindings(statement)
    }
    let result =
      if records.count == 1, let record = records.first {
        record.bytes.withUnsafeBytes { bytes in
          bind(record, bytes, to: statement, at: 0) ?? sqlite3_step(statement)
        }
      } else {
        joined(records).withUnsafeBytes { bytes in
          bind(records, bytes, to: statement) ?? sqlite3_step(statement)
        }
      }
    guard result == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: result),
        message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement))))
    }
  }

  private static func joined(_ records: ArraySlice<JournalRecord>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(records.reduce(0) { $0 + $1.bytes.count })
    for record in records { bytes += record.bytes }
    return bytes
  }

  /// Binds records whose texts follow one another; returns an error of SQLite.
  private static func bind(
    _ records: ArraySlice<JournalRecord>, _ texts: UnsafeRawBufferPointer,
    to statement: OpaquePointer
  ) -> Int32? {
    var start = 0
    for (row, record) in records.enumerated() {
      let end = start + record.bytes.count
      let text = UnsafeRawBufferPointer(rebasing: texts[start..<end])
      if let error = bind(record, text, to: statement, at: row) { return error }
      start = end
    }
    return nil
  }

  private static func bind(
    _ record: JournalRecord, _ text: UnsafeRawBufferPointer, to statement: OpaquePointer,
    at row: Int
  ) -> Int32? {
    let first = Int32(row * columnCount)
    let sum = Int64(bitPattern: JournalFormat.sum(of: record))
    // Zero means success, for each of them.
    let numbers =
      sqlite3_bind_int64(statement, first + 1, record.number)
      | sqlite3_bind_int64(statement, first + 2, Int64(record.kind.rawValue))
      | sqlite3_bind_int64(statement, first + 4, sum)
    // Integers always fit.
    guard numbers == SQLITE_OK else { return SQLITE_MISUSE }
    let bound = sqlite3_bind_blob64(
      statement, first + 3, text.baseAddress, UInt64(text.count), nil)
    return bound == SQLITE_OK ? nil : bound
  }
}
