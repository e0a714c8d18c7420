package import MoonActions
package import MoonModules
import MoonTasks
package import MoonValues

/// What a record of a journal says, in the form of its text: one JSON object.
///
/// Journals and recordings share this form; the guide describes it for people.
package enum JournalEntry: Sendable {
  /// The whole state after the record numbered `after`, and what the session runs on.
  case state(StateEntry)
  /// A commit.
  case commit(CommitEntry)
  /// A change of the state outside of any action, as when a module is reloaded.
  case change(edits: Value)
  /// What a durable task has learned, or a file that one needs.
  case task(Value)

  /// The number of the form, which is in each record of a whole state.
  ///
  /// Records of form 1 have no durable tasks.
  package static let format = 2

  /// A whole state.
  package struct StateEntry: Sendable {
    /// The number of the record that it includes last.
    package let after: Int64
    /// The id of the last action; 0 if there was none.
    package let lastActionID: Int64
    /// Seconds since 1970.
    package let time: Double
    /// The modules in service, and what they were given.
    package let surroundings: Surroundings
    /// The state as `--state` writes it.
    package let state: Value
    /// The durable tasks that haven't ended; nil if there was none.
    package var tasks: Value?

    /// Makes an entry.
    package init(
      after: Int64, lastActionID: Int64, time: Double, surroundings: Surroundings, state: Value,
      tasks: Value? = nil
    ) {
      self.tasks = tasks
      self.after = after
      self.lastActionID = lastActionID
      self.time = time
      self.surroundings = surroundings
      self.state = state
    }
  }

  /// A commit.
  package struct CommitEntry: Sendable {
    /// The actions as they were taken in: one, or those that were carried out as one.
    package let actions: [Action]
    /// Whether a module mapper made the action.
    package let isMapped: Bool
    /// What else a replay needs.
    package let notes: CommitNotes
    /// The changes of the state; see the guide for their form.
    package let edits: Value
  }
}

extension JournalEntry {
  /// The kind of the record.
  package var kind: JournalRecord.Kind {
    switch self {
    case .state: .state
    case .commit, .change: .change
    case .task: .task
    }
  }

  /// The text of the record.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    value.writeCanonical(into: &bytes)
    return bytes
  }

  /// The entry as plain data.
  package var value: Value {
    switch self {
    case .state(let entry):
      var header: Map = [
        "format": .int(Int64(Self.format)), "after": .int(entry.after),
        "last_id": .int(entry.lastActionID), "time": .double(entry.time),
        "modules": entry.surroundings.modules, "settings": entry.surroundings.settings,
        "grants": entry.surroundings.grants,
      ]
      if entry.surroundings.formerlyRedacted.listValue?.isEmpty == false {
        header["redact"] = entry.surroundings.formerlyRedacted
      }
      if !entry.surroundings.suspended.isEmpty {
        header["suspended"] = .list(List(entry.surroundings.suspended.map { .string(Text($0)) }))
      }
      header["tasks"] = entry.tasks
      return ["moonwire": .map(header), "state": entry.state]
    case .commit(let entry):
      var map: Map = ["changes": entry.edits]
      if entry.actions.count == 1 {
        map["action"] = entry.actions[0].journalValue
      } else {
        map["actions"] = .list(List(entry.actions.map(\.journalValue)))
      }
      if entry.isMapped { map["mapped"] = true }
      entry.notes.write(into: &map)
      return .map(map)
    case .change(let edits): return ["changes": edits]
    case .task(let entry): return ["durable": entry]
    }
  }

  /// Reads the text of a record.
  ///
  /// - Throws: ``JournalError/Reason``: damaged, or of a later format.
  package init(_ bytes: [UInt8]) throws(JournalError.Reason) {
    if let commit = bytes.withUnsafeBufferPointer({ CommitEntry(canonical: $0) }) {
      self = .commit(commit)
      return
    }
    let value: Value
    do throws(ParseError) {
      value = try Value(parsing: bytes, limits: .state)
    } catch {
      throw .damaged("column \(error.column) of a record: \(error.reason)")
    }
    if let header = value["moonwire"] {
      self = .state(try StateEntry(header, value["state"]))
    } else if let entry = value["durable"] {
      if let problem = TaskEntryCheck.problem(in: entry) { throw .damaged(problem) }
      self = .task(entry)
    } else if let edits = value["changes"], edits.listValue != nil {
      self = try Self.change(value, edits)
    } else {
      throw .damaged("a record has neither a state nor changes nor a durable task")
    }
  }

  /// Reads a record.
  ///
  /// - Throws: ``JournalError/Reason``: damaged, or of a later format.
  package init(_ record: JournalRecord) throws(JournalError.Reason) {
    self = try JournalEntry(record.bytes)
    guard kind == record.kind else { throw .damaged("a record is of another kind than its text") }
  }

  private static func change(
    _ value: Value, _ edits: Value
  ) throws(JournalError.Reason) -> JournalEntry {
    let found =
      value["action"].map { [$0] } ?? value["actions"]?.listValue.map { Array($0) } ?? []
    let actions = found.compactMap(Action.init(journalValue:))
    guard actions.count == found.count else { throw .damaged("an action lacks a part") }
    if actions.isEmpty { return .change(edits: edits) }
    guard let notes = CommitNotes(reading: value) else {
      throw .damaged("the notes of a commit aren't what was written")
    }
    return .commit(
      CommitEntry(
        actions: actions, isMapped: value["mapped"] == true, notes: notes, edits: edits))
  }
}

extension JournalEntry.StateEntry {
  fileprivate init(_ header: Value, _ state: Value?) throws(JournalError.Reason) {
    guard let format = header["format"]?.intValue, format > 0 else {
      throw .damaged("a record has no format")
    }
    guard format <= Int64(JournalEntry.format) else { throw .laterFormat(Int(clamping: format)) }
    guard let after = header["after"]?.intValue, let last = header["last_id"]?.intValue,
      case .double(let time)? = header["time"], let state
    else { throw .damaged("a record of a state lacks a part") }
    for number in [after, last] where number != 0 && !JournalRecord.numbers.contains(number) {
      throw .damaged("a record of a state has the number \(number)")
    }
    if let problem = header["tasks"].flatMap(TaskEntryCheck.problem(inHeader:)) {
      throw .damaged(problem)
    }
    self.init(
      after: after, lastActionID: last, time: time,
      surroundings: Surroundings(
        modules: header["modules"] ?? [:], settings: header["settings"] ?? [:],
        grants: header["grants"] ?? [], formerlyRedacted: header["redact"] ?? [],
        suspended: header["suspended"]?.listValue.map { $0.compactMap(\.stringValue) } ?? []),
      state: state,
      tasks: header["tasks"])
  }
}

/// What a session runs on: the modules in service, and what the person gives them.
package struct Surroundings: Sendable, Equatable {
  /// For each module, its generation, its version, the hashes of its files, and what recordings
  /// leave out of it.
  package let modules: Value
  /// The settings of each module, without secrets.
  package let settings: Value
  /// The grants, as they are written; first ``allGrants`` if everything is granted.
  package let grants: Value
  /// What recordings leave out because earlier modules said so, in addition to what the modules
  /// say.
  package let formerlyRedacted: Value
  /// The modules that are suspended.
  package let suspended: [String]

  /// The entry among the grants that says that every module gets all it asks for.
  package static let allGrants = "*"

  /// What recordings leave out, as the modules say and those before them said.
  package var redacted: [Path] {
    Self.paths(formerlyRedacted)
      + (modules.mapValue ?? Map()).flatMap { Self.paths($0.value["redact"]) }
  }

  private static func paths(_ rules: Value?) -> [Path] {
    (rules?.listValue ?? List()).compactMap { rule in
      rule.stringValue.flatMap { try? Path(parsing: $0) }
    }
  }

  /// Makes surroundings of plain data.
  package init(
    modules: Value, settings: Value, grants: Value, formerlyRedacted: Value = [],
    suspended: [String] = []
  ) {
    self.modules = modules
    self.settings = settings
    self.grants = grants
    self.formerlyRedacted = formerlyRedacted
    self.suspended = suspended
  }
}
