import GRDB

/// Removes records, each time as many as appending can wait for.
enum RecordRemoval {
  /// The number of records, and of bytes, that one transaction removes, or a single larger record.
  static let countMax = 1_000
  static let bytesMax = 8 << 20

  /// The number of pages that one transaction gives back, all of which it may write.
  private static let pageCountMax = 1_000

  /// Removes the first records before a number; returns their size in bytes, nil if there are none.
  static func removeFirst(before number: Int64, in database: Database) throws -> Int? {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT number, length(text) FROM records WHERE number < ? ORDER BY number LIMIT ?",
      arguments: [number, countMax])
    var last: Int64?
    var byteCount = 0
    for row in rows {
      let next = (row[1] as Int?) ?? 0
      if last != nil, next > bytesMax - byteCount { break }
      last = row[0]
      byteCount += next
    }
    guard let last else { return nil }
    try database.execute(sql: "DELETE FROM records WHERE number <= ?", arguments: [last])
    return byteCount
  }

  /// Gives pages without contents back to the system; returns the most bytes that this has written,
  /// nil if no such page is left.
  static func shrink(_ database: Database) throws -> Int? {
    let before = try freeCount(in: database)
    guard before > 0 else { return nil }
    try database.execute(sql: "PRAGMA incremental_vacuum(\(pageCountMax))")
    guard try freeCount(in: database) < before else { return nil }
    return pageCountMax * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
  }

  private static func freeCount(in database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
  }
}
