public import MoonSession
public import MoonStore
public import MoonValues

/// A session that carries out again what was recorded, and compares the states.
///
/// Reducers, middleware and routing run as they did; actions have their recorded ids, times and
/// causes. What follows from an action isn't carried out, since it was recorded as well, and
/// neither effects nor services run.
public struct Replay: Sendable {
  /// The session.
  public let session: SessionID

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
  /// - Throws: ``JournalError/Reason/damaged(_:)`` if that is none.
  public init(
    from entry: JournalEntry.StateEntry, on host: isolated Host
  ) throws(JournalError.Reason) {
    let state: SavedState
    do throws(RestoreError) {
      state = try SavedState(entry.state)
    } catch {
      throw .damaged("\(error)")
    }
    session = host.openSession { session in
      session.history.timeline = Timeline(limits: Timeline.Limits(countMax: 0))
      session.beginReplay(from: state)
    }
  }

  /// Carries out one entry again, and returns the difference, or nil.
  ///
  /// A whole state is compared as well, if it is that after the entry before.
  ///
  /// - Throws: ``JournalError/Reason/damaged(_:)`` if the recorded changes don't fit the state.
  /// - Complexity: O(what changed), and what modules do.
  public func carryOut(
    _ number: Int64, _ entry: JournalEntry, on host: isolated Host
  ) throws(JournalError.Reason) -> Difference? {
    guard let session = host.session(session) else { return nil }
    let before = session.state
    switch entry {
    case .state(let entry):
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
        try RecordedActions(commit.actions, isMapped: commit.isMapped).carryOut(in: session)
      } catch {
        failure = error
      }
      session.tasks.end(of: Set(session.modules.sorted.map(\.module.name)))
      host.finishCalls()
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
