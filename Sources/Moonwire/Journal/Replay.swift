package import MoonActions
package import MoonModules
import MoonServiceKit
import MoonSession
package import MoonValues

/// A session that carries out again what was recorded, and compares the states.
///
/// Reducers, middleware and routing run as they did; actions have their recorded ids, times and
/// causes. What follows from an action isn't carried out, since it was recorded as well, and
/// neither effects nor services run.
public struct Replay: Sendable {
  /// The session.
  package let session: SessionID

  /// A difference between the recording and the replay.
  public struct Difference: Sendable {
    /// The action whose state differs.
    public let action: Action
    /// The reason that the action failed in the replay; nil if it didn't.
    public let error: DispatchError?
    /// What the state has in the recording, as `before`, and in the replay, as `after`.
    public let diff: Diff
  }

  /// Begins with a recorded state.
  ///
  /// - Throws: ``JournalError/Reason/damaged(_:)`` if it isn't a valid state.
  package init(
    from entry: JournalEntry.StateEntry, on host: isolated Host
  ) throws(JournalError.Reason) {
    let state: SavedState
    do throws(RestoreError) {
      state = try SavedState(entry.state)
    } catch {
      throw .damaged("\(error)")
    }
    session = host.openSession { session in
      session.timeTravel.timeline = Timeline(limits: Timeline.Limits(countMax: 0))
      session.beginReplay(from: state)
    }
    takeOver(entry.surroundings, on: host)
  }

  /// Gives modules the recorded settings, and suspends those that were suspended.
  ///
  /// Nothing changes on a host that has other sessions.
  private func takeOver(_ surroundings: Surroundings, on host: isolated Host) {
    guard host.sessions.all.allSatisfy({ $0.id == session }) else { return }
    host.modules.inService.suspend(exactly: Set(surroundings.suspended.compactMap(ModuleName.init)))
    for module in host.modules.inService.sorted.map(\.module) {
      guard let settings = module.settings else { continue }
      let recorded = surroundings.settings[module.name.text]
      // A value that the module no longer takes is a change of the module, which the verdict names.
      _ = try? settings.update(
        from: host.options.settings.repeating(recorded ?? [:]), of: module.name)
    }
  }

  /// Begins with the first state of each module, or with the slices that are given instead.
  ///
  /// No hook of a module runs.
  package init(from slices: Map = Map(), on host: isolated Host) {
    var state = Map()
    var versions: [ModuleName: Int64] = [:]
    for entry in host.modules.inService.sorted {
      state[.string(Text(entry.module.name.text))] = entry.module.state
      versions[entry.module.name] = entry.module.version
    }
    for (name, slice) in slices { state[name] = slice }
    let begun = SavedState(slices: state, versions: versions, startedModules: nil)
    session = host.openSession { $0.beginReplay(from: begun) }
  }

  /// Carries out actions as one, with the notes of the host that they have, and returns what they
  /// changed.
  ///
  /// `isMapped` says whether a module mapper made the action. `notes` is what was noted
  /// when they were recorded.
  ///
  /// - Throws: ``DispatchError`` if one fails; nothing has changed then.
  package func changes(
    by actions: [Action], isMapped: Bool = false, noting notes: CommitNotes = CommitNotes(),
    on host: isolated Host
  ) throws(DispatchError) -> Diff {
    guard let session = host.session(session) else { throw .noSession }
    let before = session.state
    for action in actions { try session.modules.check(action) }
    try carryOut(actions, isMapped: isMapped, noting: notes, in: session, of: host)
    return Diff.changes(from: .map(before), to: .map(session.state))
  }

  private func carryOut(
    _ actions: [Action], isMapped: Bool, noting notes: CommitNotes, in session: Session,
    of host: isolated Host
  ) throws(DispatchError) {
    defer {
      session.begunTasks?.end(of: Set(session.modules.sorted.map(\.module.name)))
      host.sessions.finishCalls()
    }
    try RecordedActions(actions, isMapped: isMapped, noting: notes).carryOut(in: session)
  }

  /// Carries out one entry again, and returns the difference, or nil.
  ///
  /// A whole state is compared as well, if it is that after the entry before.
  ///
  /// - Throws: ``JournalError/Reason/damaged(_:)`` if the recorded changes don't fit the state.
  /// - Complexity: O(what changed), and what modules do.
  package func carryOut(
    _ number: Int64, _ entry: JournalEntry, on host: isolated Host
  ) throws(JournalError.Reason) -> Difference? {
    guard let session = host.session(session) else { return nil }
    let before = session.state
    switch entry {
    case .state(let entry):
      takeOver(entry.surroundings, on: host)
      guard entry.after == number - 1, let recorded = try? SavedState(entry.state) else {
        return nil
      }
      let diff = Diff.changes(from: .map(recorded.slices), to: .map(before))
      guard !diff.changes.isEmpty else { return nil }
      return Difference(action: Action("host/state"), error: nil, diff: diff)
    case .task: return nil
    case .change(let edits):
      session.slices.replaceAll(by: try applied(edits, to: before))
      return nil
    case .commit(let commit):
      var failure: DispatchError?
      do throws(DispatchError) {
        try carryOut(
          commit.actions, isMapped: commit.isMapped, noting: commit.notes, in: session, of: host)
      } catch {
        failure = error
      }
      let recorded = try applied(commit.edits, to: before)
      guard recorded != session.state else { return nil }
      let diff = Diff.changes(from: .map(recorded), to: .map(session.state))
      return Difference(action: commit.actions[0], error: failure, diff: diff)
    }
  }

  private func applied(_ edits: Value, to state: Map) throws(JournalError.Reason) -> Map {
    guard let changed = StateEdits(edits).applied(to: state) else {
      throw .damaged("recorded changes don't fit the state")
    }
    return changed
  }
}
