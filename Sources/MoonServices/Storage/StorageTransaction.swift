import Foundation
import Moonwire

/// The functions for `storage.lua`, which holds the reads and pending changes of a transaction.
///
/// A transaction locks nothing while its function runs. It notes the versions of what it reads. The
/// commit checks that they are still the same, and carries out all changes, in one write of the
/// database. If the module's version has changed, each read checks it as well, so a function never
/// sees parts of two states.
enum StorageTransaction {
  static func functions(of storage: Storage) -> [ServiceFunction] {
    [
      encoding(storage), decoding, getting(storage), listing(storage), checking(storage),
      committing(storage), turn(storage), urgency(storage),
    ]
  }

  private static func encoding(_ storage: Storage) -> ServiceFunction {
    .pure("set_later", "Returns the text of a value.", .string("key"), .any("value")) {
      _, key, value in .bytes(Array(try storage.change(key, value).text ?? Data()))
    }
  }

  private static let decoding = ServiceFunction.pure(
    "value_of", "Returns the value of a text.", .string("key"), .string("text")
  ) { _, key, text in
    .value(try StorageEntries.Entry(key: key.bytes, text: text.bytes, version: 0).value())
  }

  /// Returns a text, its version and that of the module.
  private static func getting(_ storage: Storage) -> ServiceFunction {
    .asynchronous("get_text", "Returns a text and its version.", .string("key")) { call, key in
      try await storage.read(call) { entries in
        let entry = try entries.entry(key.bytes)
        return .several([
          entry.map { .bytes(Array($0.text)) } ?? .nothing, .integer(entry?.version ?? 0),
          .integer(try entries.account().version),
        ])
      }
    }
  }

  /// Returns a page, the key before the next one, a digest of the reads, and the module's version.
  private static func listing(_ storage: Storage) -> ServiceFunction {
    .asynchronous(
      "list_pending", "Returns a page with pending changes.",
      .optional(.string("prefix"), or: ""), .option(.string("after")),
      .option(.integer("limit", in: 1...storage.limits.pageCountMax), or: StorageLimits.pageCount),
      .option(.map("pending"), or: Map()), .option(.boolean("values"), or: true)
    ) { call, prefix, after, limit, pending, isOfValues in
      let pending = changes(in: pending)
      let bytesMax = call.surroundings.answerBytesMax
      return try await storage.read(call) { entries in
        let page = try StoragePage(
          entries, StorageRange(prefix: prefix, after: after), limit: limit,
          isOfValues: isOfValues, bytesMax: bytesMax,
          pending: Dictionary(pending.map { ($0.key, $0.text) }, uniquingKeysWith: { $1 }))
        guard case .several(let parts) = try page.result else { return .nothing }
        let last = page.digest.last.map { String(decoding: $0, as: UTF8.self) }
        return .several(
          parts + [
            .fields([
              ("prefix", .string(prefix)), ("after", .string(after)),
              ("up_to", .string(page.isWhole ? nil : last)),
              ("digest", .integer(Int(bitPattern: UInt(page.digest.number)))),
            ]), .integer(try entries.account().version),
          ])
      }
    }
  }

  /// Returns the module's version; nothing if what was read has changed.
  private static func checking(_ storage: Storage) -> ServiceFunction {
    .asynchronous(
      "check_reads", "Checks what was read.", .map("keys"), .list("ranges"), .boolean("last")
    ) { call, keys, ranges, isLast in
      let reads = StorageReads(keys, ranges)
      return try await storage.read(call) { entries in
        guard try reads.areCurrent(in: entries) else { return try conflict(isLast) }
        return .integer(try entries.account().version)
      }
    }
  }

  /// Returns true; nothing if what was read has changed.
  private static func committing(_ storage: Storage) -> ServiceFunction {
    .asynchronous(
      "commit", "Carries out changes unless what was read has changed.", .map("keys"),
      .list("ranges"), .map("changes"), .boolean("last")
    ) { call, keys, ranges, changes, isLast in
      let keyCountMax = storage.limits.transactionKeyCountMax
      guard keys.count <= keyCountMax, changes.count <= keyCountMax, ranges.count <= keyCountMax
      else { throw StorageError.tooManyKeys(max: keyCountMax) }
      let reads = StorageReads(keys, ranges)
      let changes = Self.changes(in: changes)
      return try await storage.write(call) { entries in
        guard try reads.areCurrent(in: entries) else { return try conflict(isLast) }
        if !changes.isEmpty { try entries.apply(changes, storage.limits) }
        return .boolean(true)
      }
    }
  }

  private static func turn(_ storage: Storage) -> ServiceFunction {
    .opening(
      "turn", "Waits until no other repeated transaction runs.",
      ServiceHandle<(turn: StorageTurn, owner: StorageOwner)>(
        "turn", "A turn.", methods: [],
        closing: { storage.turns.end($0.turn, of: $0.owner) }), .boolean("urgent")
    ) { call, isUrgent in
      let owner = try storage.owner(call)
      return (await storage.turns.next(of: owner, isUrgent: isUrgent), owner)
    }
  }

  private static func urgency(_ storage: Storage) -> ServiceFunction {
    .immediate("is_urgent", "Returns whether a new transaction should take a turn.") { call in
      .boolean(storage.turns.isUrgent(try storage.owner(call)))
    }
  }

  private static func conflict(_ isLast: Bool) throws(StorageError) -> ServiceResult {
    if isLast { throw .conflict(attempts: StorageLimits.attemptCountMax) }
    return .nothing
  }

  /// Returns the changes by key: the new text, or false.
  private static func changes(in map: Map) -> [StorageEntries.Change] {
    map.compactMap { key, value in
      guard case .string(let key) = key else { return nil }
      return StorageEntries.Change(key: key.string.bytes, text: value.stringValue?.bytes)
    }
  }
}

/// What a transaction has read: the versions of keys, and digests of ranges.
private struct StorageReads: Sendable {
  private let keys: [(key: Data, version: Int)]
  private let ranges: [(range: StorageRange, digest: Int)]

  init(_ keys: Map, _ ranges: List) {
    self.keys = keys.compactMap { key, version in
      guard case .string(let key) = key, let version = version.intValue else { return nil }
      return (key.string.bytes, Int(version))
    }
    self.ranges = ranges.compactMap { range in
      guard let prefix = range["prefix"]?.stringValue, let digest = range["digest"]?.intValue
      else { return nil }
      let after = range["after"]?.stringValue
      return (
        StorageRange(prefix: prefix, after: after, upTo: range["up_to"]?.stringValue), Int(digest)
      )
    }
  }

  func areCurrent(in entries: StorageEntries) throws -> Bool {
    for (key, version) in keys where try entries.entry(key)?.version ?? 0 != version {
      return false
    }
    for (range, number) in ranges {
      var digest = StorageDigest()
      try entries.forEach(in: range) {
        digest.add($0)
        return true
      }
      guard Int(bitPattern: UInt(digest.number)) == number else { return false }
    }
    return true
  }
}
