public import Moonwire

/// The result of carrying out a recorded run again.
public struct RecordedReplay: Sendable {
  /// The session, after the last entry that was carried out; nil if the run has no state.
  public let session: SessionID?
  /// The number of actions that were carried out.
  public let count: Int
  /// The first difference; nil if every state is as recorded.
  public let difference: Replay.Difference?
  /// Whether a value was left out of the run up to the difference, which may be the cause.
  public let isRedacted: Bool
}

extension RecordedRun {
  /// Compares what the run was recorded with and the modules of a host.
  ///
  /// - Throws: ``JournalError`` if the contents are damaged, or if there are none.
  package func verdict(with host: isolated Host) throws(JournalError) -> ReplayVerdict {
    var surroundings: [Surroundings] = []
    var types: Set<Text> = []
    try read { _, entry in
      switch entry {
      // Most states have the same modules as the one before.
      case .state(let entry):
        if surroundings.last != entry.surroundings { surroundings.append(entry.surroundings) }
      case .commit(let commit): types.formUnion(commit.actions.map(\.type))
      case .change, .task: break
      }
      return true
    }
    guard !surroundings.isEmpty else { throw JournalError(path, .empty) }
    return ReplayVerdict(on: surroundings, types: types, with: host)
  }

  /// Carries out all entries again, in a session of their own, until the first difference.
  ///
  /// - Throws: ``JournalError`` if the contents are damaged.
  public func replay(on host: isolated Host) throws(JournalError) -> RecordedReplay {
    var replay: Replay?
    var count = 0
    var difference: Replay.Difference?
    var problem: JournalError.Reason?
    var last: Int64 = 0
    try read { number, entry in
      last = number
      do throws(JournalError.Reason) {
        guard let begun = replay else {
          if case .state(let state) = entry { replay = try Replay(from: state, on: host) }
          return true
        }
        difference = try begun.carryOut(number, entry, on: host)
        if case .commit(let commit) = entry { count += commit.actions.count }
      } catch {
        problem = error
      }
      return difference == nil && problem == nil
    }
    if let problem { throw JournalError(path, problem) }
    return RecordedReplay(
      session: replay?.session, count: count, difference: difference,
      isRedacted: difference == nil ? false : try isRedacted(through: last))
  }

  /// Returns whether a value was left out of the entries up to one.
  private func isRedacted(through last: Int64) throws(JournalError) -> Bool {
    var isRedacted = false
    try read { number, entry in
      if !isRedacted { isRedacted = Redaction.hasMark(entry.value) }
      return !isRedacted && number != last
    }
    return isRedacted
  }
}
