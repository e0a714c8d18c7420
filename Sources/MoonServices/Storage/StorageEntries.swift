import Foundation
import GRDB
import Moonwire

/// The entries of one module, within one read or write of the database.
struct StorageEntries {
  let db: Database
  let module: String

  /// The storage's record of a module: the number of its last change, and the totals of its
  /// entries.
  struct Account: Sendable {
    var version = 0
    /// The bytes of keys and values.
    var bytes = 0
    var count = 0

    /// The approximate number of bytes on the disk, which holds the key and the module's name in
    /// the table and in its index.
    func total(of module: String) -> Int {
      bytes + count * (StorageLimits.entryBytes + 2 * module.utf8.count)
    }
  }

  /// The text under a key, and the number of the change that set it.
  struct Entry: Sendable {
    let key: Data
    let text: Data
    let version: Int
  }

  /// The new text under a key; nil deletes it.
  struct Change: Sendable {
    let key: Data
    let text: Data?
  }

  func account() throws -> Account {
    let statement = try db.cachedStatement(
      sql: "SELECT version, bytes, count FROM modules WHERE name = ?")
    guard let row = try Row.fetchOne(statement, arguments: [module]) else { return Account() }
    return Account(version: row[0], bytes: row[1], count: row[2])
  }

  func entry(_ key: Data) throws -> Entry? {
    let statement = try db.cachedStatement(
      sql: "SELECT value, version FROM entries WHERE module = ? AND key = ?")
    guard let row = try Row.fetchOne(statement, arguments: [module, key]) else { return nil }
    return Entry(key: key, text: row[0], version: row[1])
  }

  /// Calls a function with the keys of a range in order, until it returns false.
  ///
  /// Only the index is read, and not the values, which may be large.
  func forEachKey(in range: StorageRange, _ body: (Data) throws -> Bool) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT key FROM entries
        WHERE module = ? AND key \(range.isAfterKey ? ">" : ">=") ? AND key < ? ORDER BY key
        """)
    let keys = try Data.fetchCursor(
      statement, arguments: [module, range.lowerBound, range.upperBound])
    while let key = try keys.next() {
      guard try body(key) else { return }
    }
  }

  /// Calls a function with the entries of a range in the order of their keys, until it returns
  /// false.
  func forEach(in range: StorageRange, _ body: (Entry) throws -> Bool) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT key, value, version FROM entries
        WHERE module = ? AND key \(range.isAfterKey ? ">" : ">=") ? AND key < ? ORDER BY key
        """)
    let rows = try Row.fetchCursor(
      statement, arguments: [module, range.lowerBound, range.upperBound])
    while let row = try rows.next() {
      guard try body(Entry(key: row[0], text: row[1], version: row[2])) else { return }
    }
  }

  /// Carries out changes; returns whether each key had a text before.
  ///
  /// - Throws: ``StorageError/quota(used:needed:max:)``.
  @discardableResult
  func apply(_ changes: [Change], _ limits: StorageLimits) throws -> [Bool] {
    let before = try account()
    var after = before
    after.version += 1
    let existed = try changes.map { change in
      let old = try byteCount(change.key)
      after.bytes += (change.text.map { $0.count + change.key.count } ?? 0) - (old ?? 0)
      after.count += (change.text == nil ? 0 : 1) - (old == nil ? 0 : 1)
      if let text = change.text {
        try set(change.key, text, version: after.version)
      } else if old != nil {
        try delete(change.key)
      }
      return old != nil
    }
    let (used, needed) = (before.total(of: module), after.total(of: module))
    guard needed <= limits.moduleBytesMax || needed <= used else {
      throw StorageError.quota(used: used, needed: needed - used, max: limits.moduleBytesMax)
    }
    let isChanged = zip(changes, existed).contains { $0.text != nil || $1 }
    if isChanged { try keep(after) }
    return existed
  }

  /// Deletes the first entries of a range, ``StorageLimits/clearedMax`` at most; returns their
  /// number.
  func clear(_ range: StorageRange, _ limits: StorageLimits) throws -> Int {
    var keys: [Data] = []
    try forEachKey(in: range) {
      keys.append($0)
      return keys.count < StorageLimits.clearedMax
    }
    try apply(keys.map { Change(key: $0, text: nil) }, limits)
    return keys.count
  }

  private func byteCount(_ key: Data) throws -> Int? {
    let statement = try db.cachedStatement(
      sql: "SELECT length(key) + length(value) FROM entries WHERE module = ? AND key = ?")
    return try Int.fetchOne(statement, arguments: [module, key])
  }

  private func set(_ key: Data, _ text: Data, version: Int) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO entries (module, key, value, version) VALUES (?, ?, ?, ?)
        ON CONFLICT (module, key) DO UPDATE SET value = excluded.value, version = excluded.version
        """)
    try statement.execute(arguments: [module, key, text, version])
  }

  private func delete(_ key: Data) throws {
    let statement = try db.cachedStatement(
      sql: "DELETE FROM entries WHERE module = ? AND key = ?")
    try statement.execute(arguments: [module, key])
  }

  private func keep(_ account: Account) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO modules (name, version, bytes, count) VALUES (?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE
        SET version = excluded.version, bytes = excluded.bytes, count = excluded.count
        """)
    try statement.execute(
      arguments: [module, account.version, account.bytes, account.count])
  }
}

/// The keys that begin with a prefix, from after one key up to another.
struct StorageRange: Sendable {
  let prefix: Data
  /// The key before the range; nil begins with the prefix.
  let after: Data?
  /// The last key; nil for all that have the prefix.
  let upTo: Data?

  init(prefix: String, after: String? = nil, upTo: String? = nil) {
    self.prefix = Data(prefix.utf8)
    self.after = after.map { Data($0.utf8) }
    self.upTo = upTo.map { Data($0.utf8) }
  }

  /// Whether ``lowerBound`` itself is outside the range.
  var isAfterKey: Bool { after.map { !$0.lexicographicallyPrecedes(prefix) } ?? false }
  var lowerBound: Data { isAfterKey ? after ?? prefix : prefix }
  /// The first bytes beyond the range; UTF-8 never has the byte 255.
  var upperBound: Data { upTo.map { $0 + [0] } ?? prefix + [0xFF] }

  func contains(_ key: Data) -> Bool {
    let isBeyond = !key.lexicographicallyPrecedes(upperBound)
    let isBefore =
      isAfterKey
      ? !lowerBound.lexicographicallyPrecedes(key) : key.lexicographicallyPrecedes(lowerBound)
    return !isBeyond && !isBefore && key.starts(with: prefix)
  }
}
