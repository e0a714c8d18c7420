import MoonModules
import MoonServiceKit
import MoonSession
import MoonValues

/// The recorder that writes a session's commits to a journal.
///
/// Each commit becomes one record, which includes its changes of the state, so that a later run
/// needs no module to restore it. From time to time the whole state becomes a record, from which a
/// later run can begin. Confined to the host, apart from ``pending``.
final class JournalWriter: CommitRecorder {
  /// The records that aren't kept yet.
  let pending: PendingRecords
  let store: any JournalStore
  private let limits: JournalLimits
  unowned let session: Session
  private let surroundings: () -> Surroundings
  /// The durable tasks that haven't ended; nil before they are known.
  var tasks: DurableTasks?
  private let clock: Clock
  /// The state that the records so far lead to.
  private var recorded: Map
  /// The count of module changes when the last state was written, what that state says that
  /// recordings leave out, the count of changed conditions, and the count when these were last
  /// compared.
  private var known: (changeCount: Int, redacted: [Path], conditionCount: Int, comparedCount: Int)
  private var mustWriteState = false
  private var schedule = StateSchedule()
  private var bases = JournalBases()
  /// The writes that dispatchers share.
  var shared = SharedWrites()

  /// Makes the writer of a session that has just begun, and notes the state that it begins with.
  ///
  /// `recorded` is the state that the records up to `lastNumber` lead to, if there are any.
  init(
    of session: Session, to store: any JournalStore, after lastNumber: Int64,
    recorded: Map? = nil, limits: JournalLimits, clock: Clock,
    surroundings: @escaping () -> Surroundings
  ) {
    self.session = session
    self.store = store
    self.limits = limits
    self.clock = clock
    self.surroundings = surroundings
    pending = PendingRecords(store, after: lastNumber)
    self.recorded = recorded ?? session.state
    let changeCount = session.modules.changeCount
    known = (changeCount, [], session.modules.conditionCount, changeCount)
  }

  /// Records the state that the session begins with, with the durable tasks of an earlier run.
  ///
  /// What modules have changed in a state that is recorded already, such as a slice that they
  /// migrated, comes first as a record of its own.
  func begin(with tasks: DurableTasks?) {
    self.tasks = tasks
    noteChanges(until: session.state)
    writeState()
  }

  /// Whether the host's thread may wait until records are kept.
  var writesBriefly: Bool { store.appendsBriefly }

  var isKept: Bool {
    pending.isEmpty && !needsState && recorded.isIdentical(to: session.state)
  }

  func record(_ commit: Commit) {
    // What follows from a commit in durable tasks is written with it or not at all.
    pending.seal(untilKept: false)
    noteChanges(until: commit.before)
    // What a module has to hide, and what was done with other settings, must not come before the
    // state that says so.
    if isOnOtherConditions() { writeState(of: recorded) }
    recorded = commit.after
    add(.change, JournalEntry.text(of: commit))
    noteSchedule()
  }

  func record(task entry: Value) {
    let entry = JournalEntry.task(entry)
    add(entry.kind, entry.bytes)
    // A task that begins anew again and again may never lead to a commit.
    noteSchedule()
  }

  private func noteSchedule() {
    if schedule.isDue || bases.isOld(at: clock.now(), limits) { mustWriteState = true }
  }

  func noteSlices() { mustWriteState = true }

  func keep() throws(JournalError) {
    prepare()
    try pending.write()
  }

  /// Adds the records that are due beside those of commits.
  func prepare() {
    pending.seal(untilKept: true)
    noteChanges(until: session.state)
    if needsState { writeState() }
  }

  private var needsState: Bool {
    mustWriteState || known.changeCount != session.modules.changeCount
  }

  /// Returns whether what the last state says no longer holds for the next commit: what recordings
  /// leave out, the settings, or which modules are suspended.
  private func isOnOtherConditions() -> Bool {
    guard known.comparedCount != session.modules.changeCount else { return false }
    known.comparedCount = session.modules.changeCount
    return redactedNow != known.redacted || session.modules.conditionCount != known.conditionCount
  }

  private var redactedNow: [Path] { session.modules.redacted }

  /// Records what changed the state outside of actions.
  private func noteChanges(until state: Map) {
    guard !recorded.isIdentical(to: state) else { return }
    let edits = StateEdits(from: recorded, to: state)
    recorded = state
    guard edits.value.listValue?.isEmpty == false else { return }
    add(.change, JournalEntry.change(edits: edits.value).bytes)
  }

  private func add(_ kind: JournalRecord.Kind, _ bytes: [UInt8]) {
    schedule.note(bytes.count)
    if pending.add(kind, bytes), store.appendsBriefly {
      // A failure shows when an outcome waits for these records.
      _ = try? pending.write()
    }
  }

  /// Records the whole state, with other slices if they are given.
  ///
  /// The text of a large one is made, and the oldest records are removed, on another thread.
  private func writeState(of slices: Map? = nil) {
    mustWriteState = false
    let number = pending.lastNumber
    let entry = JournalEntry.StateEntry(
      after: number, lastActionID: session.lastID, time: clock.now(),
      surroundings: surroundings(), state: SavedState(of: session, slices: slices).value,
      tasks: tasks?.header)
    let redactedNow = redactedNow
    let conditionCount = session.modules.conditionCount
    // The logs of durable tasks are written with each state, and may be larger than the slices.
    let bytes = session.stateValue.storageCost + (entry.tasks?.storageCost ?? 0)
    let isPrompt =
      number == 0 || redactedNow != known.redacted || conditionCount != known.conditionCount
      || bytes <= StateSchedule.promptBytesMax
    let changeCount = session.modules.changeCount
    known = (changeCount, redactedNow, conditionCount, changeCount)
    schedule.begin(stateBytes: bytes)
    let (pending, store, limits) = (pending, store, limits)
    let base = bases.next(at: entry, store.byteCount, limits)
    let add: @Sendable () -> Void = { _ = pending.add(.state, JournalEntry.state(entry).bytes) }
    let write: @Sendable () -> Void = {
      if !isPrompt { add() }
      guard let base else { return }
      do throws(JournalError) {
        guard try pending.write() else { return }
        try store.removeRecords(before: base)
      } catch {
        // Until the next time, the journal is longer than it may be.
      }
    }
    if isPrompt { add() }
    if base != nil || !isPrompt { Task.detached { write() } }
  }
}

/// The limits of a journal.
public struct JournalLimits: Sendable {
  /// The number of bytes above which the oldest records are replaced by a state; 0 for no limit.
  public var bytesMax = 256 << 20
  /// The age above which records are replaced by a state; zero for no limit.
  ///
  /// They are removed when a later state is written. That happens at an action, once the state
  /// before it is as old, so a journal in use has nothing of more than twice the age.
  public var ageMax = Duration.zero

  /// Makes the default limits.
  public init() {}
}

/// The rule by which whole states are written.
///
/// One is due when the changes since the last one have as many bytes as the state, so that writing
/// states at most doubles what is written, and reading a journal takes time in proportion to the
/// state.
struct StateSchedule {
  /// The number of bytes of changes that a state always waits for.
  static let bytesMin = 256 << 10
  /// The number of changes at which a state of at most ``promptBytesMax`` is written in any case.
  static let countMax = 10_000
  /// The number of bytes of a state whose text is made at once.
  static let promptBytesMax = 64 << 10

  private var bytes = 0
  private var count = 0
  private var stateBytes = 0

  /// Notes a change.
  mutating func note(_ byteCount: Int) {
    bytes += byteCount
    count += 1
  }

  /// Notes that a state is written.
  mutating func begin(stateBytes: Int) { self = StateSchedule(stateBytes: stateBytes) }

  init(stateBytes: Int = 0) { self.stateBytes = stateBytes }

  var isDue: Bool {
    bytes >= max(Self.bytesMin, stateBytes)
      || (count >= Self.countMax && stateBytes <= Self.promptBytesMax)
  }
}

/// The states that a journal may begin with.
struct JournalBases {
  private struct Base {
    let number: Int64
    let time: Double
    let bytesBefore: Int
  }

  private var bases: [Base] = []
  /// The number of the first record that the journal has; nil if none was removed.
  private var first: Int64?

  /// Returns whether the last state is as old as records may be.
  func isOld(at time: Double, _ limits: JournalLimits) -> Bool {
    guard limits.ageMax > .zero, let last = bases.last else { return false }
    return time - last.time >= limits.ageMax.seconds
  }

  /// Notes a state that is about to be written, and returns the number of the first record to keep;
  /// nil if all are kept.
  mutating func next(
    at entry: JournalEntry.StateEntry, _ byteCount: Int, _ limits: JournalLimits
  ) -> Int64? {
    bases.append(Base(number: entry.after, time: entry.time, bytesBefore: byteCount))
    let oldest = entry.time - limits.ageMax.seconds
    var index = 0
    var mayDrop = false
    if limits.bytesMax > 0, byteCount > limits.bytesMax {
      // Half of the limit, so that it takes a while to reach it again.
      index =
        bases.firstIndex { byteCount - $0.bytesBefore <= limits.bytesMax / 2 } ?? bases.count - 1
      mayDrop = index > 0
    }
    if limits.ageMax > .zero {
      // All before the last state that is too old is older than it.
      let kept = (bases.firstIndex { $0.time > oldest } ?? bases.count) - 1
      index = max(index, kept)
      if kept >= 0 { mayDrop = true }
    }
    bases.removeFirst(index)
    let number = bases[0].number + 1
    guard mayDrop, number > first ?? 1 else { return nil }
    first = number
    return number
  }
}

extension Duration {
  /// The duration in seconds.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
