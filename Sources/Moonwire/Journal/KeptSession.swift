import MoonActions
package import MoonModules
package import MoonSession
import MoonTasks
import MoonValues

/// A session as its journal has kept it, up to the last commit.
package struct KeptSession: Sendable {
  /// The state.
  package let state: SavedState
  /// The id of the last action; 0 if there was none.
  package let lastActionID: Int64
  /// The number of the last record.
  package let lastNumber: Int64
  /// The number of the first record that the last whole state needs.
  package let firstNumber: Int64
  /// What the session ran on last.
  package let surroundings: Surroundings
  /// The durable tasks that haven't ended.
  let tasks: KeptTasks

  /// Reads the last whole state of a store, and the changes after it.
  ///
  /// - Throws: ``JournalError``, if the store is damaged, for example.
  /// - Complexity: O(size of the state), independent of the age of the journal.
  package init(in store: any JournalStore) throws(JournalError) {
    guard let number = try store.stateNumbers().last else {
      throw JournalError(store.name, .empty)
    }
    try self.init(in: store, from: number)
  }

  /// Reads the state in a record, and the changes after it.
  ///
  /// - Throws: ``JournalError``
  init(in store: any JournalStore, from number: Int64) throws(JournalError) {
    var reading = JournalReading()
    var first: Int64?
    // The state says which changes it includes, and those may follow it.
    try store.read(from: number) { record in
      if record.number == number, case .state(let entry)? = try? JournalEntry(record) {
        first = entry.after + 1
      }
      return false
    }
    guard let first else {
      throw JournalError(store.name, .damaged("record \(number) holds no state"))
    }
    try reading.begin(with: number, in: store)
    var expected = first
    try store.read(from: first) { record in
      defer { expected = record.number &+ 1 }
      return record.number == expected && reading.take(record)
    }
    guard reading.problem != nil || expected > number else {
      throw JournalError(store.name, .damaged("records from \(first) on are missing"))
    }
    if let problem = reading.problem { throw JournalError(store.name, problem) }
    guard let state = reading.savedState, let header = reading.header else {
      throw JournalError(store.name, .empty)
    }
    self.state = state
    tasks = reading.tasks
    lastActionID = max(reading.lastActionID, reading.tasks.lastActionID)
    lastNumber = reading.lastNumber
    firstNumber = first
    surroundings = header.surroundings
  }
}

/// The reading of a journal from one whole state on.
package struct JournalReading {
  package private(set) var header: JournalEntry.StateEntry?
  private(set) var slices = Map()
  private(set) var lastActionID: Int64 = 0
  private(set) var lastNumber: Int64 = 0
  private(set) var problem: JournalError.Reason?
  private(set) var tasks = KeptTasks()
  private var saved: SavedState?

  package init() {}

  /// The state after the records that were taken.
  var savedState: SavedState? {
    saved.map {
      SavedState(
        slices: slices, versions: $0.versions, shapes: $0.shapes, keptSlices: $0.keptSlices,
        startedModules: $0.startedModules)
    }
  }

  /// Reads the state to begin with.
  ///
  /// - Throws: ``JournalError``
  package mutating func begin(with number: Int64, in store: any JournalStore) throws(JournalError) {
    var found: JournalRecord?
    try store.read(from: number) { record in
      found = record
      return false
    }
    guard let found else { throw JournalError(store.name, .empty) }
    do throws(JournalError.Reason) {
      guard case .state(let entry) = try JournalEntry(found) else {
        throw .damaged("record \(number) holds no state")
      }
      try begin(with: entry)
      lastNumber = found.number
    } catch {
      throw JournalError(store.name, error)
    }
  }

  /// Takes a whole state over.
  ///
  /// - Throws: ``JournalError/Reason/damaged(_:)``
  mutating func begin(with entry: JournalEntry.StateEntry) throws(JournalError.Reason) {
    let state: SavedState
    do throws(RestoreError) {
      state = try SavedState(entry.state)
    } catch {
      throw .damaged("\(error)")
    }
    header = entry
    saved = state
    slices = state.slices
    lastActionID = max(lastActionID, entry.lastActionID)
    tasks = KeptTasks(header: entry.tasks)
    try checkTasks()
  }

  /// - Throws: ``JournalError/Reason/damaged(_:)`` if more tasks run than may.
  private func checkTasks() throws(JournalError.Reason) {
    guard tasks.tasks.count <= KeptTasks.countMax else {
      throw .damaged("more than \(KeptTasks.countMax) durable tasks haven't ended")
    }
  }

  /// Takes the next record; returns false if it can't be used.
  package mutating func take(_ record: JournalRecord) -> Bool {
    do throws(JournalError.Reason) {
      try carryOut(try JournalEntry(record), number: record.number)
    } catch {
      problem = error
      return false
    }
    lastNumber = max(lastNumber, record.number)
    return true
  }

  private mutating func carryOut(
    _ entry: JournalEntry, number: Int64
  ) throws(JournalError.Reason) {
    let edits: Value
    switch entry {
    case .state(let entry):
      // Changes between it and what it includes were taken already, so that only the rest is new.
      guard let state = try? SavedState(entry.state) else {
        throw .damaged("record \(number) holds no state")
      }
      if entry.after >= header?.after ?? 0 {
        header = entry
        saved = state
      }
      return
    case .commit(let entry):
      edits = entry.edits
      for action in entry.actions { lastActionID = max(lastActionID, action.meta.id) }
      for id in entry.notes.made { lastActionID = max(lastActionID, id) }
      tasks.noteCommit(of: entry.actions, entry.edits)
    case .change(let changes): edits = changes
    case .task(let entry):
      tasks.take(entry)
      try checkTasks()
      return
    }
    guard let changed = StateEdits(edits).applied(to: slices) else {
      throw .damaged("the changes in record \(number) don't fit the state")
    }
    slices = changed
  }
}
