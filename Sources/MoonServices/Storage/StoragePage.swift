import Foundation
import Moonwire

/// A page of a list of entries, including the uncommitted changes of a transaction.
struct StoragePage {
  /// The keys and texts, in the order of the keys.
  private(set) var items: [(key: Data, text: Data)] = []
  /// Whether further entries may follow.
  private(set) var isCut = false
  /// The digest of the entries read, including one that didn't fit.
  private(set) var digest = StorageDigest()
  /// Whether the whole range was read.
  private(set) var isWhole = false
  private let isOfValues: Bool

  /// Reads a page of keys.
  init(keysOf entries: StorageEntries, _ range: StorageRange, limit: Int, bytesMax: Int) throws {
    isOfValues = false
    var bytes = 0
    try entries.forEachKey(in: range) { key in
      guard items.count < limit, bytes <= bytesMax / 2 else {
        isCut = true
        return false
      }
      items.append((key, Data()))
      bytes += key.count
      return true
    }
    isWhole = !isCut
  }

  /// Reads a page; it ends early if its values take more than half of `bytesMax`.
  init(
    _ entries: StorageEntries, _ range: StorageRange, limit: Int, isOfValues: Bool, bytesMax: Int,
    pending: [Data: Data?] = [:]
  ) throws {
    self.isOfValues = isOfValues
    var waiting = pending.filter { $0.value != nil && range.contains($0.key) }
      .map { (key: $0.key, text: $0.value ?? Data()) }
      .sorted { $1.key.lexicographicallyPrecedes($0.key) }
    var bytes = 0
    // Adds an item; returns whether there is room for another.
    func add(_ key: Data, _ text: Data) -> Bool {
      guard items.count < limit, bytes <= bytesMax / 2 else {
        isCut = true
        return false
      }
      items.append((key, text))
      bytes += key.count + (isOfValues ? Self.cost(text) : 0)
      return true
    }
    try entries.forEach(in: range) { entry in
      digest.add(entry)
      while let next = waiting.last, next.key.lexicographicallyPrecedes(entry.key) {
        guard add(next.key, next.text) else { return false }
        waiting.removeLast()
      }
      return pending[entry.key] != nil || add(entry.key, entry.text)
    }
    isWhole = !isCut
    while !isCut, let next = waiting.popLast() { _ = add(next.key, next.text) }
  }

  /// The approximate size of a value in memory, as an upper limit of ``Value/storageCost``.
  private static func cost(_ text: Data) -> Int { text.count * 9 }

  /// The key after which the next page begins; nil at the end.
  var next: String? {
    isCut ? items.last.map { String(decoding: $0.key, as: UTF8.self) } : nil
  }

  /// The page and ``next``.
  var result: ServiceResult {
    get throws(StorageError) { .several([try list, .string(next)]) }
  }

  private var list: ServiceResult {
    get throws(StorageError) {
      var list: [ServiceResult] = []
      for (key, text) in items {
        let name = ServiceResult.string(String(decoding: key, as: UTF8.self))
        let entry = StorageEntries.Entry(key: key, text: text, version: 0)
        list.append(
          isOfValues ? .fields([("key", name), ("value", .value(try entry.value()))]) : name)
      }
      return .list(list)
    }
  }
}

/// A digest of the keys of a range and their versions, which another list matches only by chance.
///
/// It is the 64-bit FNV-1a hash (draft-eastlake-fnv).
struct StorageDigest: Equatable {
  private(set) var number: UInt64 = 0xcbf2_9ce4_8422_2325
  /// The last key that was added.
  private(set) var last: Data?

  mutating func add(_ entry: StorageEntries.Entry) {
    last = entry.key
    for byte in entry.key { add(byte) }
    // UTF-8 never has the byte 255.
    add(0xFF)
    withUnsafeBytes(of: Int64(entry.version).littleEndian) { for byte in $0 { add(byte) } }
  }

  private mutating func add(_ byte: UInt8) {
    number = (number ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}
