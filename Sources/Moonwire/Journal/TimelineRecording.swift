package import MoonActions
package import MoonModules
import MoonServiceKit
import MoonSession
import MoonValues

/// Timelines as recordings.
extension Journal {
  /// Writes the timeline of a session: the state that it begins with, and its steps.
  ///
  /// Steps that are left out aren't written. Replaying the recording carries the others out again.
  /// Returns the number of steps.
  ///
  /// - Throws: ``JournalError``, for example if the store already holds a session.
  /// - Complexity: O(size of the state, and what the steps have changed).
  package func write(
    timelineOf id: SessionID, on host: isolated Host
  ) throws(JournalError) -> Int {
    guard let session = host.session(id) else {
      throw JournalError(store.name, .failed(DispatchError.noSession.description))
    }
    guard try store.stateNumbers().isEmpty else { throw JournalError(store.name, .taken) }
    let timeline = SessionTimeline(of: session).current
    let steps = timeline.steps.filter { !$0.isSkipped && $0.error == nil }
    let saved = SavedState(of: session)
    let first = SavedState(
      slices: timeline.firstSlices, versions: saved.versions, shapes: saved.shapes,
      startedModules: saved.startedModules)
    let state = JournalEntry.StateEntry(
      after: 0, lastActionID: max(0, (steps.first?.id ?? session.lastID + 1) - 1),
      time: steps.first?.action.meta.time ?? host.options.clock.now(),
      surroundings: Surroundings(of: host), state: first.value)
    var records = [JournalEntry.state(state)]
    var before = timeline.firstSlices
    for step in steps {
      records.append(
        .commit(
          JournalEntry.CommitEntry(
            actions: [step.action] + step.others, isMapped: step.isMapped,
            notes: step.notes,
            edits: StateEdits(from: before, to: step.slices).value)))
      before = step.slices
    }
    try store.append(
      records.enumerated().map {
        JournalRecord(number: Int64($0) + 1, kind: $1.kind, bytes: $1.bytes)
      })
    return steps.count
  }
}
