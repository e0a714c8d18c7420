import MoonModules
import Synchronization

/// The records of a journal that aren't kept yet, and their way into the store.
///
/// Any thread may write them; records always reach the store in their order.
final class PendingRecords: Sendable {
  /// The number of records, and of bytes, at which they are written without waiting for more.
  static let countMax = 1_000
  static let bytesMax = 1 << 20

  private struct Queue {
    var records: [JournalRecord] = []
    var byteCount = 0
    /// The number of records that may be written; nil for all.
    ///
    /// The others are written together with what follows from the last one.
    var sealedCount: Int?
    /// The number of the last record.
    var lastNumber: Int64

    /// The records that may be written: usually all of them, which aren't copied then.
    var writable: [JournalRecord] {
      guard let sealedCount, sealedCount < records.count else { return records }
      return Array(records.prefix(sealedCount))
    }

    /// Removes the first records, which are kept now.
    mutating func remove(_ kept: [JournalRecord]) {
      if kept.count == records.count {
        records = []
        records.reserveCapacity(kept.count)
      } else {
        records.removeFirst(kept.count)
      }
      byteCount -= kept.reduce(0) { $0 + $1.bytes.count }
      sealedCount = sealedCount.map { max(0, $0 - kept.count) }
    }
  }

  private let store: any JournalStore
  private let queue: Mutex<Queue>
  // Held while records are written, so that a later writer finds them kept.
  private let writing = Mutex(())

  init(_ store: any JournalStore, after lastNumber: Int64) {
    self.store = store
    queue = Mutex(Queue(lastNumber: lastNumber))
  }

  /// The number of the last record.
  var lastNumber: Int64 { queue.withLock { $0.lastNumber } }

  /// Whether there is nothing to write.
  var isEmpty: Bool { queue.withLock { $0.records.isEmpty } }

  /// Adds a record; returns whether there are enough to write them now.
  func add(_ kind: JournalRecord.Kind, _ bytes: [UInt8]) -> Bool {
    queue.withLock { queue in
      queue.lastNumber += 1
      queue.records.append(JournalRecord(number: queue.lastNumber, kind: kind, bytes: bytes))
      queue.byteCount += bytes.count
      return queue.records.count >= Self.countMax || queue.byteCount >= Self.bytesMax
    }
  }

  /// Allows the records so far to be written: those that come wait for the next call, or, with
  /// `untilKept`, none does.
  func seal(untilKept: Bool) {
    queue.withLock { $0.sealedCount = untilKept ? nil : $0.records.count }
  }

  /// Tells the store about the records that may be written, unless it is at work.
  func announce() {
    writing.withLockIfAvailable { _ in
      let records = queue.withLock { $0.writable }
      if !records.isEmpty { store.announce(records) }
    }
  }

  /// Writes the records that may be written, and returns once they are kept; the result says
  /// whether those are all.
  ///
  /// - Throws: ``JournalError``. All records still wait then.
  @discardableResult
  func write() throws(JournalError) -> Bool {
    try writing.withLock { _ throws(JournalError) in
      let records = queue.withLock { $0.writable }
      if !records.isEmpty {
        try store.append(records)
        queue.withLock { $0.remove(records) }
      }
      return isEmpty
    }
  }
}
