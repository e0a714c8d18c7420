import GRDB
public import Moonwire

/// The reason that the storage can't be used or refuses a call.
public enum StorageError: ServiceFailure, Equatable {
  /// The caller isn't a module.
  case noModule
  /// The program has no data directory.
  case noDirectory
  /// The file or its directory can't be created or opened.
  case unavailable(path: String, reason: String)
  /// The file can't be written.
  case readOnly(path: String)
  /// The disk is full.
  case full(path: String)
  /// The system refused to read or write the file.
  case inputOutput(path: String, reason: String)
  /// Another program is writing and doesn't finish.
  case locked(path: String, seconds: Double)
  /// The file isn't a database, or is damaged.
  case damaged(path: String)
  /// The file was made by a newer version of this program.
  case newer(path: String, version: Int)
  /// The file is the database of another program.
  case foreign(path: String)
  /// A stored text can't be read as a value.
  case unreadable(key: String)
  /// The module keeps too much.
  case quota(used: Int, needed: Int, max: Int)
  /// A key is too long.
  case keyTooLong(bytes: Int, max: Int)
  /// A value is too large.
  case valueTooLarge(bytes: Int, max: Int)
  /// A transaction uses too many keys.
  case tooManyKeys(max: Int)
  /// Something that a transaction had read changed before each attempt ended.
  case conflict(attempts: Int)
  /// The database reported another error.
  case failed(path: String, reason: String)

  /// A word for scripts to compare.
  public var code: String {
    switch self {
    case .noModule: "no_module"
    case .noDirectory, .unavailable: "unavailable"
    case .readOnly: "read_only"
    case .full: "disk_full"
    case .inputOutput: "io_error"
    case .locked: "locked"
    case .damaged: "damaged"
    case .newer: "newer"
    case .foreign: "foreign"
    case .unreadable: "unreadable"
    case .quota: "quota"
    case .keyTooLong, .valueTooLarge, .tooManyKeys: "too_large"
    case .conflict: "conflict"
    case .failed: "failed"
    }
  }

  /// One phrase.
  public var description: String {
    switch self {
    case .noModule: "only modules keep things in the storage"
    case .noDirectory:
      "there is no directory for it: name one with --data, or set HOME or XDG_DATA_HOME"
    case .unavailable(let path, let reason):
      "\(path) can't be used: \(reason); name another directory with --data"
    case .readOnly(let path): "\(path) can't be written: it is read-only"
    case .full(let path): "\(path) can't be written: the disk is full"
    case .inputOutput(let path, let reason):
      "\(path) can't be read or written: \(reason); the disk, or the size that files may have, "
        + "may be used up"
    case .locked(let path, let seconds):
      "\(path) is locked: another program has been writing to it for \(seconds) s"
    case .damaged(let path):
      "\(path) is damaged: the next call keeps it under another name and begins a new one"
    case .newer(let path, let version):
      "\(path) has version \(version), which is newer than this program knows"
    case .foreign(let path):
      "\(path) is the database of another program; move it away, or name another directory with "
        + "--data"
    case .unreadable(let key): "what is stored under '\(key)' isn't a value"
    case .quota(let used, let needed, let max):
      "the module keeps \(used) bytes and may keep \(max); this takes \(needed) more: delete "
        + "something first"
    case .keyTooLong(let bytes, let max): "the key has \(bytes) bytes, and \(max) are allowed"
    case .valueTooLarge(let bytes, let max):
      "the value has \(bytes) bytes as text, and \(max) are allowed: store it in parts"
    case .tooManyKeys(let max): "a transaction reads and changes \(max) keys at most"
    case .conflict(let attempts):
      "others changed what it had read, \(attempts) times: let it read less, or end sooner, and "
        + "use only its own functions within it"
    case .failed(let path, let reason): "\(path): \(reason)"
    }
  }
}

extension StorageError {
  /// Makes the error for a database error; nil if the call was cancelled.
  init?(_ error: DatabaseError, path: String, _ limits: StorageLimits) {
    let reason = error.message ?? "error \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_INTERRUPT, .SQLITE_ABORT: return nil
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
      self = .locked(path: path, seconds: limits.busySecondsMax)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path)
    case .SQLITE_FULL: self = .full(path: path)
    case .SQLITE_READONLY: self = .readOnly(path: path)
    case .SQLITE_IOERR: self = .inputOutput(path: path, reason: reason)
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      self = .unavailable(path: path, reason: reason)
    default: self = .failed(path: path, reason: reason)
    }
  }
}
