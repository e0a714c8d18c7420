package import MoonJournal
package import Moonwire

/// A test that is written from a range of a recording, as Lua.
package struct GeneratedTest {
  /// The text of the file.
  package let text: String
  /// The number of steps.
  let stepCount: Int

  /// Writes the actions of a recording from one id to another, each with what it changed.
  ///
  /// Whatever `redaction` and the modules name is left out, as in a recording.
  ///
  /// - Throws: ``JournalError`` if the recording is damaged, or if the range has none, or what a
  ///   test can't do.
  package init(
    from run: RecordedRun, ids: ClosedRange<Int64>, leavingOut redaction: Redaction,
    named name: String
  ) throws(JournalError) {
    var reading = Reading(ids: ids)
    var redaction = redaction
    try redaction.noteAll(in: run)
    var problem: JournalError.Reason?
    try run.read { [redaction] number, entry in
      do throws(JournalError.Reason) {
        return try reading.take(number, try redaction.redacted(entry))
      } catch {
        problem = error
        return false
      }
    }
    if let problem { throw JournalError(run.path, problem) }
    guard !reading.steps.isEmpty else {
      throw JournalError(run.path, .noActions)
    }
    let test: Map = [
      "description": .string(Text(name)), "state": .map(reading.state),
      "steps": .list(List(reading.steps)),
    ]
    stepCount = reading.steps.count
    let literal = LuaLiteral.text(.map(test))
    let advice =
      literal.contains(Redaction.mark)
      ? "\n-- What is \(Redaction.mark) was left out: write a value that isn't secret there."
      : ""
    text = """
      -- Written from a recording: what was dispatched, and all that it changed.
      -- `moonwire test` compares it with the modules as they are.\(advice)
      return \(literal)

      """
  }

  /// The reading of a recording up to the end of the range.
  private struct Reading {
    let ids: ClosedRange<Int64>
    private(set) var state = Map()
    private(set) var steps: [Value] = []
    private var following = ReplayedState()

    init(ids: ClosedRange<Int64>) { self.ids = ids }

    /// Takes the next entry; returns false if no more are needed.
    mutating func take(
      _ number: Int64, _ entry: JournalEntry
    ) throws(JournalError.Reason) -> Bool {
      let before = following.slices
      if case .commit(let commit) = entry, let first = commit.actions.first?.meta.id {
        if first > ids.upperBound { return false }
        try following.take(number, entry)
        if first >= ids.lowerBound { try add(commit, from: before) }
        return true
      }
      try following.take(number, entry)
      if case .change = entry, !steps.isEmpty {
        let last = following.slices
        guard last == before else {
          throw .failed(
            "after action \(lastID), a reload or so changed the state: end with --to \(lastID)")
        }
      }
      return true
    }

    private var lastID: Int64 { steps.last?["id"]?.intValue ?? ids.lowerBound }

    private mutating func add(
      _ commit: JournalEntry.CommitEntry, from before: Map
    ) throws(JournalError.Reason) {
      if steps.isEmpty { state = before }
      var step =
        commit.actions.count == 1
        ? commit.actions[0].journalValue.mapValue ?? Map()
        : ["actions": .list(List(commit.actions.map(\.journalValue)))]
      if commit.isMapped { step["mapped"] = true }
      var notes = commit.notes
      // There is nothing to check: the middleware decides again.
      notes.isDropped = false
      notes.write(into: &step)
      let diff = Diff.changes(from: .map(before), to: .map(following.slices))
      guard !diff.isTruncated else {
        throw .failed("action \(commit.actions[0].meta.id) changes too much for a test")
      }
      var changes = Map()
      var removed: [Value] = []
      for change in diff.changes {
        let path = Text(change.path.description)
        if let after = change.after {
          changes[.string(path)] = after
        } else {
          removed.append(.string(path))
        }
      }
      step["changes"] = .map(changes)
      if !removed.isEmpty { step["removed"] = .list(List(removed)) }
      steps.append(.map(step))
    }
  }
}
