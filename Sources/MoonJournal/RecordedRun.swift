import Glibc
public import Moonwire

/// The contents of a journal or a recording, from its first state on.
public struct RecordedRun: Sendable {
  /// The path.
  public let path: String
  private let lines: Lines?

  /// The lines of a recording.
  private struct Lines: Sendable {
    let bytes: [UInt8]
  }

  /// The maximum number of bytes of a readable recording.
  package static let byteCountMax = 1 << 30

  /// Opens a journal or a recording.
  ///
  /// - Throws: ``JournalError``
  public init(_ path: String) throws(JournalError) {
    self.path = path
    do throws(JournalError.Reason) {
      switch try JournalFormat.contents(of: path) {
      case .journal: lines = nil
      case .nothing: throw .empty
      }
    } catch {
      guard error == .foreign, let bytes = try Self.recording(at: path) else {
        throw JournalError(path, error)
      }
      lines = Lines(bytes: bytes)
    }
  }

  /// Returns the bytes of a file that begins like a recording; nil for any other file.
  private static func recording(at path: String) throws(JournalError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw JournalError(path, JournalError.Reason(reading: errno)) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw JournalError(path, JournalError.Reason(reading: errno)) }
      if count == 0 { break }
      bytes += chunk[..<count]
      guard bytes.first == UInt8(ascii: "{") else { return nil }
      guard bytes.count <= byteCountMax else {
        throw JournalError(path, .failed("a recording may have \(byteCountMax >> 20) MB at most"))
      }
    }
    return bytes
  }

  /// Passes on the entries in order, starting with a whole state, until `body` returns false.
  ///
  /// - Throws: ``JournalError`` if the contents are damaged, with the number of the record or line;
  ///   the entries before were passed on.
  package func read(_ body: (Int64, JournalEntry) -> Bool) throws(JournalError) {
    if let lines { try read(lines, body) } else { try readJournal(body) }
  }

  private func readJournal(_ body: (Int64, JournalEntry) -> Bool) throws(JournalError) {
    let (file, base, damage) = try openJournal()
    defer { file.close() }
    do throws(JournalError) {
      guard let base else { throw JournalError(path, .empty) }
      guard try read(file, from: base, body) else { return }
    } catch {
      // What was found first explains the rest.
      throw damage.map { JournalError(path, $0) } ?? error
    }
    if let damage { throw JournalError(path, damage) }
  }

  /// Opens the journal, or what is left of it.
  ///
  /// Also returns the number of the first whole state, and the damage found so far.
  private func openJournal() throws(JournalError) -> (JournalFile, Int64?, JournalError.Reason?) {
    let damage = try damageBeside()
    do throws(JournalError) {
      let file = try JournalFile(path, for: .reading)
      do throws(JournalError) {
        return (file, try file.stateNumbers().first, damage)
      } catch {
        file.close()
        throw error
      }
    } catch {
      guard case .damaged = error.reason, let file = try? JournalFile(path, reading: .rest) else {
        throw error
      }
      return (file, file.foundStateNumbers().first, damage ?? error.reason)
    }
  }

  /// Returns the damage of the file beside the journal, unless a program is using it.
  private func damageBeside() throws(JournalError) -> JournalError.Reason? {
    do throws(JournalError.Reason) {
      guard let damage = try WriteAheadLog.damage(beside: path), !FileLock.isHeld(path) else {
        return nil
      }
      return .damaged(damage)
    } catch {
      throw JournalError(path, error)
    }
  }

  /// Returns whether `body` wants more in the end.
  private func read(
    _ file: JournalFile, from base: Int64, _ body: (Int64, JournalEntry) -> Bool
  ) throws(JournalError) -> Bool {
    var problem: JournalError.Reason?
    var first: Int64 = 0
    var wantsMore = true
    try file.read(from: base) { record in
      problem = Self.pass(record) { number, entry in
        if case .state(let state) = entry { first = state.after + 1 }
        wantsMore = body(number, entry)
      }
      return false
    }
    if let problem { throw JournalError(path, problem) }
    guard wantsMore else { return false }
    try file.read(from: first) { record in
      if record.number == base { return true }
      problem = Self.pass(record) { wantsMore = body($0, $1) }
      return wantsMore && problem == nil
    }
    if let problem { throw JournalError(path, problem) }
    return wantsMore
  }

  private static func pass(
    _ record: JournalRecord, _ body: (Int64, JournalEntry) -> Void
  ) -> JournalError.Reason? {
    do throws(JournalError.Reason) {
      body(record.number, try JournalEntry(record))
      return nil
    } catch {
      if case .damaged(let what) = error { return .damaged("record \(record.number): \(what)") }
      return error
    }
  }

  private func read(
    _ lines: Lines, _ body: (Int64, JournalEntry) -> Bool
  ) throws(JournalError) {
    var number: Int64 = 0
    for line in lines.bytes.split(separator: UInt8(ascii: "\n")) {
      number += 1
      let entry: JournalEntry
      do throws(JournalError.Reason) {
        entry = try JournalEntry(Array(line))
      } catch {
        guard case .damaged(let what) = error else { throw JournalError(path, error) }
        throw JournalError(path, .damaged("line \(number): \(what)"))
      }
      if number == 1, entry.kind != .state {
        throw JournalError(path, .damaged("line 1: there is no whole state to begin with"))
      }
      guard body(number, entry) else { return }
    }
  }
}
