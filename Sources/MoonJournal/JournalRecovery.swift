import Glibc
public import Moonwire

/// A journal that was opened to resume its session, and recovered if it was damaged.
public struct RecoveredJournal: Sendable {
  /// The journal, which is undamaged from its last whole state on.
  public let file: JournalFile
  /// The damage that was found; nil if there was none.
  public let damage: Damage?
  /// Whether the journal holds nothing, since the program that made it ended before its first
  /// record.
  ///
  /// There is no session to resume then, and one may begin.
  public let isEmpty: Bool

  /// Damage to a journal, whose readable part is in a new file.
  public struct Damage: Sendable, Equatable {
    /// What was found.
    public let reason: JournalError.Reason
    /// The path of the original, which is kept.
    public let original: String
    /// The number of the last record that could be read.
    public let lastNumber: Int64
  }

  /// Opens a journal to resume its session.
  ///
  /// If it is damaged, the longest readable part that leads to a state goes into a new file with
  /// its name, and the original and the file beside it are renamed.
  ///
  /// - Throws: ``JournalError``, in particular if nothing can be recovered, or if there is no room
  ///   for the new file. The files are unchanged then.
  public init(
    _ path: String, durability: JournalFile.Durability = .process
  ) throws(JournalError) {
    let reason: JournalError.Reason
    do throws(JournalError) {
      let file = try JournalFile(path, for: .resuming, durability: durability)
      do throws(JournalError) {
        _ = try KeptSession(in: file)
        self.file = file
        (damage, isEmpty) = (nil, false)
        return
      } catch {
        if error.reason == .empty, try file.hasNoRecords() {
          self.file = file
          (damage, isEmpty) = (nil, true)
          return
        }
        file.close()
        throw error
      }
    } catch {
      guard case .damaged = error.reason else { throw error }
      reason = error.reason
    }
    let (original, lastNumber) = try Self.recover(path, from: reason, durability)
    file = try JournalFile(path, for: .resuming, durability: durability)
    damage = Damage(reason: reason, original: original, lastNumber: lastNumber)
    isEmpty = false
  }

  /// Replaces a journal by what can be read of it.
  ///
  /// Returns the new path of the original, and the number of the last record.
  private static func recover(
    _ path: String, from reason: JournalError.Reason, _ durability: JournalFile.Durability
  ) throws(JournalError) -> (String, Int64) {
    let lock: FileLock
    do throws(JournalError.Reason) {
      lock = try JournalFormat.lock(path, .resuming)
    } catch {
      throw JournalError(path, error)
    }
    defer { lock.release() }
    let salvage = try Salvage(of: path, reason)
    // An existing one is left over from a recovery that was killed.
    let temporary = "\(path).recovering"
    remove(temporary)
    do throws(JournalError) {
      try write(salvage.records, to: temporary, durability)
      return (try replace(path, with: temporary), salvage.lastNumber)
    } catch {
      remove(temporary)
      throw JournalError(path, error.reason)
    }
  }

  private static func write(
    _ records: [JournalRecord], to path: String, _ durability: JournalFile.Durability
  ) throws(JournalError) {
    let file = try JournalFile(path, for: .beginning, durability: durability)
    defer { file.close() }
    try file.append(records)
    try file.gather()
  }

  private static func remove(_ path: String) {
    for suffix in [""] + WriteAheadLog.suffixes { unlink(path + suffix) }
  }

  /// The maximum number of names tried for the original.
  private static let nameCountMax = 100

  /// Renames a journal and the files beside it, and gives its name to another file; returns the
  /// journal's new path.
  private static func replace(
    _ path: String, with other: String
  ) throws(JournalError) -> String {
    for number in 1...nameCountMax {
      let name = "\(path).damaged" + (number == 1 ? "" : "\(number)")
      let names = ([""] + WriteAheadLog.suffixes).map { (path + $0, name + $0) }
      guard names.allSatisfy({ access($0.1, F_OK) != 0 }) else { continue }
      // The journal first: without the file beside it, it would seem whole.
      for (index, (old, new)) in names.enumerated() where rename(old, new) != 0 {
        if index > 0, errno == ENOENT { continue }
        throw undo(names.prefix(index), path, errno)
      }
      guard rename(other, path) == 0 else { throw undo(names[...], path, errno) }
      return name
    }
    throw JournalError(path, .failed("there are \(nameCountMax) damaged originals already"))
  }

  /// Undoes renamings, the last one first; returns the error to throw.
  private static func undo(
    _ names: ArraySlice<(String, String)>, _ path: String, _ code: Int32
  ) -> JournalError {
    for (old, new) in names.reversed() { rename(new, old) }
    return JournalError(path, JournalError.Reason(errno: code))
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
    // What was moved out of the file beside the journal is in the journal, however damaged that
    // file is.
    let parts: [JournalFormat.Part] =
      WriteAheadLog.holdsFrames(beside: path) ? [.rest, .restAlone] : [.rest]
    for part in parts {
      guard let file = try? JournalFile(path, reading: part) else { continue }
      defer { file.close() }
      var next = Int64.max
      for number in file.foundStateNumbers().reversed() {
        // A session is resumed from the last state, so one that can't be read isn't taken along.
        let records = Self.records(from: number, in: file).prefix { [next] in $0.number < next }
        next = number
        if let last = records.last?.number, last > lastNumber {
          self.records = Array(records)
          lastNumber = last
        }
      }
    }
    guard !records.isEmpty else { throw JournalError(path, reason) }
  }

  /// The records from a state on, as far as they can be read; none if the state can't be.
  private static func records(from number: Int64, in file: JournalFile) -> [JournalRecord] {
    var reading = JournalReading()
    guard (try? reading.begin(with: number, in: file)) != nil,
      let first = reading.header.map({ $0.after + 1 }), first <= number
    else { return [] }
    var records: [JournalRecord] = []
    // What the state needs may begin after the first record that is there.
    try? file.read(from: first) { record in
      guard record.number == first + Int64(records.count), reading.take(record) else {
        return false
      }
      records.append(record)
      return true
    }
    return records.last.map { $0.number >= number } ?? false ? records : []
  }
}
