import Glibc
public import Moonwire
import Synchronization

/// A recording: the records of a journal as lines of JSON, which people can read and other machines
/// can replay.
///
/// It is written only once; to resume a session, use a ``JournalFile``.
public final class RecordingFile: JournalStore {
  /// The path.
  public let name: String
  private let descriptor: Int32
  private let progress: Mutex<Progress>

  private struct Progress {
    var redaction: Redaction
    var byteCount = 0
    var stateNumbers: [Int64] = []
    var isClosed = false
    var hasFailed = false
  }

  /// Creates a file without the values that the rules name, or modules under `redact`.
  ///
  /// - Throws: ``JournalError`` if there is a file already, or it can't be created.
  public init(_ path: String, redaction: Redaction = Redaction()) throws(JournalError) {
    name = path
    progress = Mutex(Progress(redaction: redaction))
    let descriptor = open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, PrivateFile.mode)
    guard descriptor >= 0 else {
      throw JournalError(
        path, errno == EEXIST ? .exists : JournalError.Reason(creating: errno))
    }
    self.descriptor = descriptor
  }

  deinit { close() }

  /// True: a write goes to the system's memory.
  public var appendsBriefly: Bool { true }

  /// The length of the file.
  public var byteCount: Int { progress.withLock { $0.byteCount } }

  /// Whether a write has failed, so that the recording lacks something.
  package var hasFailed: Bool { progress.withLock { $0.hasFailed } }

  /// Checks that the file is still where it was made.
  ///
  /// - Throws: ``JournalError/Reason/gone``.
  package func check() throws(JournalError) {
    var (open, named) = (stat(), stat())
    guard fstat(descriptor, &open) == 0, lstat(name, &named) == 0, open.st_ino == named.st_ino,
      open.st_dev == named.st_dev
    else { throw JournalError(name, .gone) }
  }

  /// Appends records as lines, without what the rules leave out.
  ///
  /// - Throws: ``JournalError``; the file then keeps its length.
  public func append(_ records: [JournalRecord]) throws(JournalError) {
    try progress.withLock { progress throws(JournalError) in
      progress.hasFailed = true
      try check()
      var bytes: [UInt8] = []
      for record in records {
        bytes += progress.redaction.redact(record)
        bytes.append(UInt8(ascii: "\n"))
      }
      try write(bytes, after: progress.byteCount)
      progress.byteCount += bytes.count
      progress.stateNumbers += records.filter { $0.kind == .state }.map(\.number)
      progress.hasFailed = false
    }
  }

  /// Writes bytes; after a failure, the file keeps its length.
  private func write(_ bytes: [UInt8], after length: Int) throws(JournalError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        ftruncate(descriptor, off_t(length))
        throw JournalError(name, JournalError.Reason(errno: code))
      }
      written += count
    }
  }

  /// Does nothing, since a recording is read with ``RecordedRun``.
  public func read(
    from number: Int64, _ body: (JournalRecord) -> Bool
  ) throws(JournalError) {}

  /// Returns the numbers of the records of whole states, in order.
  public func stateNumbers() throws(JournalError) -> [Int64] {
    progress.withLock { $0.stateNumbers }
  }

  /// Does nothing: a recording keeps all records.
  public func removeRecords(before number: Int64) throws(JournalError) {}

  /// Closes the file.
  public func close() {
    progress.withLock { progress in
      if !progress.isClosed { Glibc.close(descriptor) }
      progress.isClosed = true
    }
  }
}
