import CMoonSQLite
import GRDB
import Glibc
import MoonFiles
import Moonwire
import Synchronization

/// The database of one data directory, opened when it is first used.
///
/// Several programs may use it at the same time. A damaged file is renamed and a new one created.
/// Each use first checks that the file is still the one that was opened, since another program may
/// have renamed it.
final class StorageFile: Sendable {
  /// The name in the data directory.
  static let name = "storage.sqlite"
  /// The file that is locked while a program opens the database.
  private static let lockName = "storage.lock"

  private struct Opened {
    let pool: DatabasePool
    let identity: FileIdentity
  }

  let path: String
  private let directory: String
  private let limits: StorageLimits
  private let warn: @Sendable (String) -> Void
  private let opened = Mutex<Opened?>(nil)

  init(
    directory: String, _ limits: StorageLimits, warn: @escaping @Sendable (String) -> Void
  ) {
    self.directory = directory
    path = "\(directory)/\(Self.name)"
    self.limits = limits
    self.warn = warn
  }

  /// Reads at one point in time; others may write meanwhile.
  ///
  /// - Throws: ``StorageError``, or `CancellationError`.
  func read<Content: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Content
  ) async throws -> Content {
    let pool = try pool()
    do { return try await pool.read(body) } catch { throw failure(error) }
  }

  /// Writes all changes of a function, or none if it throws.
  ///
  /// - Throws: ``StorageError``, or `CancellationError`.
  func write<Content: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Content
  ) async throws -> Content {
    let pool = try pool()
    do { return try await pool.write(body) } catch { throw failure(error) }
  }

  /// Closes the database once nothing uses it; the next use opens it again.
  func close() { opened.withLock { $0 = nil } }

  private func failure(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    guard let failure = StorageError(error, path: path, limits) else { return CancellationError() }
    if case .damaged = failure { close() }
    return failure
  }

  /// Returns the connections, opening the file if necessary.
  ///
  /// May block for ``StorageLimits/busySecondsMax``, and longer for a large file.
  private func pool() throws(StorageError) -> DatabasePool {
    do {
      return try opened.withLock { opened in
        if let opened, opened.identity == FileStatus.found(at: path)?.identity {
          return opened.pool
        }
        opened = nil
        let fresh = try open()
        opened = fresh
        return fresh.pool
      }
    } catch let error as StorageError {
      throw error
    } catch let error as DatabaseError {
      throw StorageError(error, path: path, limits)
        ?? .failed(path: path, reason: "it was interrupted")
    } catch {
      throw .failed(path: path, reason: "\(error)")
    }
  }

  private func open() throws -> Opened {
    try StorageDirectory.make(directory)
    // Two programs that find the same damage must not both rename the file.
    let lock = try StorageDirectory.lock(
      "\(directory)/\(Self.lockName)", within: limits.busySecondsMax)
    defer { lock.release() }
    do {
      return try openChecked()
    } catch let error where Self.isDamage(error) {
      let kept = try setAside()
      warn(
        "\(path) was damaged. It is kept as \(kept), and the modules begin with an empty storage.")
      return try openChecked()
    }
  }

  private static func isDamage(_ error: any Error) -> Bool {
    if let error = error as? StorageError, case .damaged = error { return true }
    let code = (error as? DatabaseError)?.resultCode
    return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
  }

  private func openChecked() throws -> Opened {
    try createFile()
    var configuration = Configuration()
    configuration.busyMode = .timeout(limits.busySecondsMax)
    configuration.maximumReaderCount = StorageLimits.readerCountMax
    configuration.foreignKeysEnabled = false
    configuration.label = "moonwire.storage"
    // Anyone may have made the file.
    configuration.prepareDatabase {
      let code = ResultCode(rawValue: msqlite_distrust($0.sqliteConnection, 1))
      guard code == .SQLITE_OK else { throw DatabaseError(resultCode: code) }
      try $0.execute(sql: "PRAGMA cell_size_check = ON")
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { [path] db in try StorageSchema.prepare(db, path) }
    try pool.read { [path] db in try StorageSchema.check(db, path) }
    guard let identity = FileStatus.found(at: path)?.identity else {
      throw StorageError.unavailable(path: path, reason: "it was removed")
    }
    return Opened(pool: pool, identity: identity)
  }

  /// Creates an empty file that only its owner can read.
  ///
  /// SQLite gives its other files the same permissions.
  private func createFile() throws(StorageError) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      Glibc.close(descriptor)
    } else if errno == EEXIST {
      // Not opened here, since closing it would release SQLite's locks on it in this process.
      // A link isn't followed, so that the permissions of a file elsewhere stay as they are.
      guard let status = try? FileStatus(at: PathBytes(path)), status.kind == .regular else {
        throw .unavailable(path: path, reason: "it isn't a file")
      }
      if status.permissions & 0o077 != 0 { chmod(path, 0o600) }
    } else {
      throw StorageDirectory.failure(path, errno)
    }
  }

  /// Renames the database and the files that belong to it; returns the new name.
  private func setAside() throws(StorageError) -> String {
    // The log first, since it must never be beside a new database.
    let endings = ["-wal", "-shm", ""]
    for number in 1...Self.keptCountMax {
      let kept = "\(path).damaged-\(number)"
      guard endings.allSatisfy({ FileStatus.found(at: kept + $0) == nil }) else { continue }
      for ending in endings where FileStatus.found(at: path + ending) != nil {
        guard rename(path + ending, kept + ending) == 0 else {
          throw StorageDirectory.failure(path + ending, errno)
        }
      }
      return kept
    }
    throw .unavailable(
      path: path,
      reason: "it is damaged, and \(Self.keptCountMax) damaged files are kept beside it already")
  }

  /// The maximum number of damaged files kept in one directory.
  static let keptCountMax = 100
}

/// The tables of the database.
enum StorageSchema {
  /// The number that marks the file as this program's: "Moon" in ASCII.
  private static let application = 0x4D6F_6F6E
  /// The version of the tables.
  private static let version = 1

  /// Creates the tables in an empty database, and checks that existing ones are this program's.
  static func prepare(_ db: Database, _ path: String) throws {
    let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let tableCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    if application == 0, version == 0, tableCount == 0 { return try create(db) }
    guard application == Self.application else { throw StorageError.foreign(path: path) }
    guard version <= Self.version else { throw StorageError.newer(path: path, version: version) }
  }

  private static func create(_ db: Database) throws {
    // Keys and values are blobs, since an SQLite text ends at the first zero byte.
    try db.execute(
      sql: """
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(version);
        CREATE TABLE modules (
          name TEXT PRIMARY KEY NOT NULL,
          version INTEGER NOT NULL,
          bytes INTEGER NOT NULL,
          count INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE entries (
          id INTEGER PRIMARY KEY,
          module TEXT NOT NULL,
          key BLOB NOT NULL,
          value BLOB NOT NULL,
          version INTEGER NOT NULL,
          UNIQUE (module, key)
        ) STRICT;
        """)
  }

  /// - Complexity: O(size of the file).
  static func check(_ db: Database, _ path: String) throws {
    let problems = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
    guard problems == ["ok"] else { throw StorageError.damaged(path: path) }
    for table in ["modules", "entries"] where try !db.tableExists(table) {
      throw StorageError.damaged(path: path)
    }
  }
}
