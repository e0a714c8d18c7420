import Glibc
public import Moonwire

/// A journal that was opened to go on with its session, if need be after damage.
public struct RecoveredJournal: Sendable {
  /// The journal, which is undamaged from its last whole state on.
  public let file: JournalFile
  /// The damage that was found; nil if there was none.
  public let damage: Damage?

  /// Damage of a journal, whose readable part is in a new file.
  public struct Damage: Sendable, Equatable {
    /// What was found.
    public let reason: JournalError.Reason
    /// The path of the original, which is kept.
    public let original: String
    /// The number of the last record that could be read.
    public let lastNumber: Int64
  }

  /// Opens a journal to go on with its session.
  ///
  /// If it is damaged, the longest readable part that leads to a state moves to a new file of its
  /// name, and the original gets another name.
  ///
  /// - Throws: ``JournalError``, in particular if nothing can be recovered. The file is unchanged
  ///   then.
  public init(
    _ path: String, durability: JournalFile.Durability = .process
  ) throws(JournalError) {
    let reason: JournalError.Reason
    do throws(JournalError) {
      let file = try JournalFile(path, for: .resuming, durability: durability)
      do throws(JournalError) {
        _ = try KeptSession(in: file)
        self.file = file
        damage = nil
        return
      } catch {
        file.close()
        throw error
      }
    } catch {
      guard case .damaged = error.reason else { throw error }
      reason = error.reason
    }
    let salvage = try Salvage(of: path, reason)
    let original = try Self.moveAside(path)
    file = try JournalFile(path, for: .beginning, durability: durability)
    try file.append(salvage.records)
    damage = Damage(reason: reason, original: original, lastNumber: salvage.lastNumber)
  }

  /// The maximum number of names tried for the original.
  private static let nameCountMax = 100

  /// Renames a journal with the files beside it; returns the new path.
  private static func moveAside(_ path: String) throws(JournalError) -> String {
    for number in 1...nameCountMax {
      let name = "\(path).damaged" + (number == 1 ? "" : "\(number)")
      guard access(name, F_OK) != 0 else { continue }
      // Those beside it first: SQLite must never find them beside a new journal.
      for suffix in ["-wal", "-shm"] { rename(path + suffix, name + suffix) }
      guard rename(path, name) == 0 else {
        let code = errno
        for suffix in ["-wal", "-shm"] { rename(name + suffix, path + suffix) }
        throw JournalError(path, JournalError.Reason(errno: code))
      }
      return name
    }
    throw JournalError(path, .failed("there are \(nameCountMax) damaged originals already"))
  }
}

/// The part of a damaged journal that can be read and leads to a state.
private struct Salvage {
  private(set) var records: [JournalRecord] = []
  private(set) var lastNumber: Int64 = 0

  /// Reads what can be read.
  ///
  /// - Throws: ``JournalError`` with the reason if no state can be read.
  init(of path: String, _ reason: JournalError.Reason) throws(JournalError) {
    let file: JournalFile
    do throws(JournalError) {
      file = try JournalFile(path, for: .reading)
    } catch {
      throw JournalError(path, reason)
    }
    defer { file.close() }
    for number in Self.candidates(in: file) {
      let records = Self.records(from: number, in: file)
      if let last = records.last?.number, last > lastNumber {
        self.records = records
        lastNumber = last
      }
    }
    guard !records.isEmpty else { throw JournalError(path, reason) }
  }

  /// The numbers of the states that can be found, the latest first.
  private static func candidates(in file: JournalFile) -> [Int64] {
    if let numbers = try? file.stateNumbers(), !numbers.isEmpty { return numbers.reversed() }
    var numbers: [Int64] = []
    try? file.read(from: 0) { record in
      if record.kind == .state { numbers.append(record.number) }
      return true
    }
    return numbers.reversed()
  }

  /// The records that lead from a state on, as far as they can be read; none if the state can't be.
  private static func records(from number: Int64, in file: JournalFile) -> [JournalRecord] {
    var first: Int64?
    try? file.read(from: number) { record in
      if case .state(let entry)? = try? JournalEntry(record.bytes) { first = entry.after + 1 }
      return false
    }
    guard let first, first <= number else { return [] }
    var records: [JournalRecord] = []
    try? file.read(from: first) { record in
      guard (try? JournalEntry(record.bytes)) != nil else { return false }
      records.append(record)
      return true
    }
    return records.last.map { $0.number >= number } ?? false ? records : []
  }
}
