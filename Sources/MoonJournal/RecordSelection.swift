import GRDB
import GRDBSQLite
import Moonwire

/// Reads records, and checks each.
///
/// SQLite's own functions run its statement. GRDB's make an object for each column and copy the
/// text twice.
enum RecordSelection {
  /// Passes on records from a number on, in order, until `body` returns false.
  ///
  /// - Throws: ``JournalError/Reason/damaged(_:)`` or an error of the database.
  static func read(
    from number: Int64, in database: Database, _ body: (JournalRecord) -> Bool
  ) throws {
    let selection = try database.makeStatement(sql: JournalFormat.selection)
    // Freeing it ends its use of SQLite's statement.
    defer { withExtendedLifetime(selection) {} }
    let statement = selection.sqliteStatement
    defer { sqlite3_reset(statement) }
    var result = sqlite3_bind_int64(statement, 1, number)
    var last: Int64?
    while result == SQLITE_OK || result == SQLITE_ROW {
      result = sqlite3_step(statement)
      guard result == SQLITE_ROW else { break }
      let record = try record(in: statement, after: last)
      last = record.number
      guard body(record) else { return }
    }
    guard result == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: result),
        message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement))))
    }
  }

  /// Reads the row of a statement, which follows the record with a number; nil if it is the first.
  ///
  /// - Throws: ``JournalError/Reason/damaged(_:)``
  private static func record(
    in statement: OpaquePointer, after last: Int64?
  ) throws(JournalError.Reason) -> JournalRecord {
    guard let number = integer(in: statement, 0), JournalRecord.numbers.contains(number),
      let kind = integer(in: statement, 1).flatMap({ JournalRecord.Kind(rawValue: Int($0)) }),
      let bytes = bytes(in: statement, 2), let sum = integer(in: statement, 3)
    else { throw .damaged("a row after record \(last ?? 0) isn't a record") }
    if let last, number - 1 != last {
      throw .damaged("records \(last + 1) to \(number - 1) are missing")
    }
    let record = JournalRecord(number: number, kind: kind, bytes: bytes)
    guard UInt64(bitPattern: sum) == JournalFormat.sum(of: record) else {
      throw .damaged("record \(number) isn't what was written")
    }
    return record
  }

  /// The integer of a column; nil if it holds something else.
  private static func integer(in statement: OpaquePointer, _ column: Int32) -> Int64? {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(statement, column)
  }

  /// The bytes of a column; nil if it holds neither bytes nor a text.
  private static func bytes(in statement: OpaquePointer, _ column: Int32) -> [UInt8]? {
    let type = sqlite3_column_type(statement, column)
    guard type == SQLITE_BLOB || type == SQLITE_TEXT else { return nil }
    // The address comes before the count, since it may convert the text.
    let address = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return Array(UnsafeRawBufferPointer(start: address, count: count))
  }
}
