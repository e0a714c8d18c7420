import MoonValues

/// The receivers of a session's commits: the journal that keeps the session, and recordings beside
/// it.
///
/// Confined to the host.
package struct CommitRecorders {
  /// The recording that keeps all commits for another run; nil if nothing does.
  package var journal: Recording?
  /// The recordings beside it.
  ///
  /// None of them holds the session up: one that can't be written ends.
  private var copies: [any CommitRecorder] = []

  /// Whether nothing takes commits in.
  var isEmpty: Bool { journal == nil && copies.isEmpty }

  /// Adds a recording beside the journal, which takes in the commits from now on.
  package mutating func add(copy recorder: any CommitRecorder) { copies.append(recorder) }

  /// Removes and returns the first recording beside the journal that satisfies a condition; nil if
  /// none does.
  package mutating func removeCopy(
    where isWanted: (any CommitRecorder) -> Bool
  ) -> (any CommitRecorder)? {
    copies.firstIndex(where: isWanted).map { copies.remove(at: $0) }
  }

  /// Records a commit.
  func record(_ commit: Commit) {
    journal?.recorder.record(commit)
    for recorder in copies { recorder.record(commit) }
  }

  /// Notes that slices changed outside of any action.
  package func noteSlices() {
    journal?.recorder.noteSlices()
    for recorder in copies { recorder.noteSlices() }
  }

  /// Keeps all commits; returns the errors of the recordings beside the journal that have ended,
  /// since they can't be written.
  mutating func keep() -> [JournalError] {
    journal?.keep()
    var errors: [JournalError] = []
    copies.removeAll { recorder in
      do throws(JournalError) {
        if !recorder.isKept { try recorder.keep() }
        return false
      } catch {
        errors.append(error)
        return true
      }
    }
    return errors
  }
}
