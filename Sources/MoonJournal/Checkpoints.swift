import Dispatch
import GRDB
import Synchronization

/// Moves what was written from the file beside a journal into the journal, on another thread.
final class Checkpoints: Sendable {
  /// The number of bytes of records between two moves.
  static let bytesMax = 4 << 20
  /// The number of bytes that are written beside a move before writing waits for its end, so that
  /// no more is written than is moved.
  static let besideBytesMax = 16 << 20
  /// The size that the file beside the journal may have, apart from the last transaction.
  ///
  /// SQLite starts that file over only when all of it has been moved, which never happens while
  /// actions are dispatched one after another.
  static let waitingBytesMax = 64 << 20
  /// The size after a move at which writing waits for another one, which moves all: what is written
  /// until the next move ends is left of ``waitingBytesMax``.
  private static let restartBytesMin = waitingBytesMax - bytesMax - besideBytesMax

  private struct Progress {
    var bytes = 0
    var isRunning = false
    var isClosed = false
    var database: DatabaseQueue?
  }

  private let path: String
  private let writer: DatabaseQueue
  private let progress = Mutex(Progress())
  private let queue = DispatchQueue(label: "moonwire.journal")

  /// Makes the moves for a journal, which `writer` writes.
  init(of path: String, _ writer: DatabaseQueue) {
    self.path = path
    self.writer = writer
  }

  /// Notes the size of what was written; waits for the end of a move if that is too much.
  func note(_ byteCount: Int) {
    let (isDue, isTooMuch) = progress.withLock { progress in
      progress.bytes += byteCount
      guard progress.bytes >= Self.bytesMax, !progress.isClosed else { return (false, false) }
      guard !progress.isRunning else { return (false, progress.bytes >= Self.besideBytesMax) }
      progress.bytes = 0
      progress.isRunning = true
      return (true, false)
    }
    if isDue { queue.async { self.run() } }
    if isTooMuch { queue.sync {} }
  }

  /// Waits for the end of a move, and starts no more.
  func close() {
    queue.sync {
      progress.withLock { progress in
        progress.isClosed = true
        try? progress.database?.close()
        progress.database = nil
      }
    }
  }

  private func run() {
    let database = progress.withLock { progress in
      if progress.database == nil { progress.database = try? DatabaseQueue(path: path) }
      return progress.isClosed ? nil : progress.database
    }
    // A failure shows at the next write to the journal.
    if let database, let byteCount = try? Self.move(in: database),
      byteCount > Self.restartBytesMin
    {
      // Little is left to move now, and nothing is written meanwhile.
      _ = try? Self.move(in: writer)
    }
    progress.withLock { $0.isRunning = false }
  }

  /// Moves what hasn't been moved yet; returns the size of the file beside the journal in bytes.
  private static func move(in database: DatabaseQueue) throws -> Int {
    try database.writeWithoutTransaction { database in
      let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
      let size = try Int.fetchOne(database, sql: "PRAGMA page_size")
      return (row?["log"] ?? 0) * (size ?? 0)
    }
  }
}
