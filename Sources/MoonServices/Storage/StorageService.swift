import Foundation
public import Moonwire
import Synchronization

extension Service {
  /// Values that modules keep between runs, as `moon.storage`.
  public static var storage: Service { storage(limits: StorageLimits()) }

  /// Declares the storage with the program's own limits.
  public static func storage(limits: StorageLimits) -> Service {
    let storage = Storage(limits)
    return Service(
      "storage", "Keeps values of a module between runs, by key.",
      functions: StorageFunctions.all(of: storage),
      script: ServiceScript(
        PackageResources.storage_lua, functions: StorageTransaction.functions(of: storage)),
      closing: { storage.close() })
  }
}

/// The functions that modules see.
enum StorageFunctions {
  static func all(of storage: Storage) -> [ServiceFunction] {
    single(of: storage) + listings(of: storage) + [transaction]
  }

  private static func single(of storage: Storage) -> [ServiceFunction] {
    [
      .asynchronous(
        "get", "Returns the value under a key; nil if there is none.", .string("key"),
        returns: "any?"
      ) { call, key in
        try await storage.read(call) { entries in
          try entries.entry(key.bytes).map { .value(try $0.value()) } ?? .nothing
        }
      },
      .asynchronous("set", "Stores a value under a key.", .string("key"), .any("value")) {
        call, key, value in
        let change = try storage.change(key, value)
        _ = try await storage.write(call) { try $0.apply([change], storage.limits) }
        return .nothing
      },
      .asynchronous(
        "delete", "Deletes the value under a key; returns whether there was one.", .string("key"),
        returns: "boolean"
      ) { call, key in
        let change = StorageEntries.Change(key: key.bytes, text: nil)
        return .boolean(
          try await storage.write(call) { try $0.apply([change], storage.limits) } == [true])
      },
      .asynchronous(
        "clear", "Deletes all keys with a prefix; returns their number.",
        .string("prefix", "Empty for all keys of the module"), returns: "integer"
      ) { call, prefix in
        var (total, count) = (0, StorageLimits.clearedMax)
        while count == StorageLimits.clearedMax {
          try Task.checkCancellation()
          count = try await storage.write(call) {
            try $0.clear(StorageRange(prefix: prefix), storage.limits)
          }
          total += count
        }
        return .integer(total)
      },
      .asynchronous(
        "usage", "Returns what the module keeps, and may keep.",
        returns: "{bytes, bytes_max, count}"
      ) { call in
        let (account, bytes) = try await storage.read(call) {
          let account = try $0.account()
          return (account, account.total(of: $0.module))
        }
        return .fields([
          ("bytes", .integer(bytes)),
          ("bytes_max", .integer(storage.limits.moduleBytesMax)),
          ("count", .integer(account.count)),
        ])
      },
    ]
  }

  private static func listings(of storage: Storage) -> [ServiceFunction] {
    func listing(
      _ name: String, _ summary: String, isOfValues: Bool, returns: String
    ) -> ServiceFunction {
      .asynchronous(
        name, summary, .optional(.string("prefix"), or: ""),
        .option(.string("after", "The key before the page")),
        .option(
          .integer("limit", in: 1...storage.limits.pageCountMax), or: StorageLimits.pageCount),
        returns: returns
      ) { call, prefix, after, limit in
        let bytesMax = call.surroundings.answerBytesMax
        let range = StorageRange(prefix: prefix, after: after)
        return try await storage.read(call) { entries in
          isOfValues
            ? try StoragePage(
              entries, range, limit: limit, isOfValues: true, bytesMax: bytesMax
            ).result
            : try StoragePage(keysOf: entries, range, limit: limit, bytesMax: bytesMax).result
        }
      }
    }
    return [
      listing(
        "list",
        "Returns a page of keys with a prefix and their values, by key, and the last key if more "
          + "follow.", isOfValues: true, returns: "{key, value}[], string?"),
      listing(
        "keys", "Returns a page of keys with a prefix, in order, and the last key if more follow.",
        isOfValues: false, returns: "string[], string?"),
    ]
  }

  private static let transaction = ServiceFunction.scripted(
    "transaction",
    "Calls a function with the same functions as methods, and carries out its changes together, "
      + "or none if it fails; repeats it if others change what it has read.",
    [.required("f", type: "function")], kind: .asynchronous, returns: "any")
}

/// The storage: its files by data directory.
final class Storage: Sendable {
  let limits: StorageLimits
  let turns: StorageTurns
  private let line = StorageLine()
  private let files = Mutex<[String: StorageFile]>([:])

  init(_ limits: StorageLimits) {
    self.limits = limits
    turns = StorageTurns(secondsMax: limits.turnSecondsMax)
  }

  /// Reads entries of the calling module.
  func read<Content: Sendable>(
    _ call: ServiceCall, _ body: @escaping @Sendable (StorageEntries) throws -> Content
  ) async throws -> Content {
    let (file, owner) = try file(for: call)
    return try await line.pass(as: owner) {
      try await file.read { db in try body(StorageEntries(db: db, module: owner.module)) }
    }
  }

  /// Changes entries of the calling module.
  func write<Content: Sendable>(
    _ call: ServiceCall, _ body: @escaping @Sendable (StorageEntries) throws -> Content
  ) async throws -> Content {
    let (file, owner) = try file(for: call)
    return try await line.pass(as: owner) {
      try await file.write { db in try body(StorageEntries(db: db, module: owner.module)) }
    }
  }

  /// Returns the change that stores a value.
  ///
  /// - Throws: ``StorageError``
  func change(_ key: String, _ value: Value) throws(StorageError) -> StorageEntries.Change {
    let key = key.bytes
    guard key.count <= limits.keyBytesMax else {
      throw .keyTooLong(bytes: key.count, max: limits.keyBytesMax)
    }
    var text: [UInt8] = []
    value.writeCanonical(into: &text)
    guard text.count <= limits.valueBytesMax else {
      throw .valueTooLarge(bytes: text.count, max: limits.valueBytesMax)
    }
    return StorageEntries.Change(key: key, text: Data(text))
  }

  func close() {
    for file in files.withLock({ Array($0.values) }) { file.close() }
  }

  /// Returns the owner of the entries that a call uses.
  func owner(_ call: ServiceCall) throws -> StorageOwner {
    try call.require(.storage)
    guard let module = call.module else { throw StorageError.noModule }
    guard let directory = call.surroundings.dataDirectory, !directory.isEmpty else {
      throw StorageError.noDirectory
    }
    return StorageOwner(directory: URL(filePath: directory).path, module: module.text)
  }

  private func file(for call: ServiceCall) throws -> (StorageFile, StorageOwner) {
    let owner = try owner(call)
    return files.withLock { files in
      if let file = files[owner.directory] { return (file, owner) }
      let file = StorageFile(directory: owner.directory, limits, warn: call.surroundings.warn)
      files[owner.directory] = file
      return (file, owner)
    }
  }
}

extension String {
  /// The UTF-8.
  var bytes: Data { Data(utf8) }
}

extension StorageEntries.Entry {
  /// - Throws: ``StorageError/unreadable(key:)``.
  func value() throws(StorageError) -> Value {
    do throws(ParseError) {
      return try Value(parsing: Array(text))
    } catch {
      throw .unreadable(key: String(decoding: key, as: UTF8.self))
    }
  }
}
