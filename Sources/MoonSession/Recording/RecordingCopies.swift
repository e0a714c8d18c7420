/// Further recordings of a session's commits, beside the one that keeps it.
///
/// A copy never holds the session up: one that can't be written ends. Confined to the host.
package struct RecordingCopies {
  private var recorders: [any CommitRecorder] = []

  /// Whether there are none.
  package var isEmpty: Bool { recorders.isEmpty }

  /// Adds a copy, which takes in the commits from now on.
  package mutating func add(_ recorder: any CommitRecorder) { recorders.append(recorder) }

  /// Removes and returns the first copy that satisfies a condition; nil if none does.
  package mutating func remove(
    where isWanted: (any CommitRecorder) -> Bool
  ) -> (any CommitRecorder)? {
    recorders.firstIndex(where: isWanted).map { recorders.remove(at: $0) }
  }

  /// Records a commit.
  func record(_ commit: Commit) {
    for recorder in recorders { recorder.record(commit) }
  }

  /// Notes that slices changed outside of any action.
  func noteSlices() {
    for recorder in recorders { recorder.noteSlices() }
  }

  /// Writes what was taken in, ends the copies that can't be written, and returns their errors.
  mutating func keep() -> [JournalError] {
    var errors: [JournalError] = []
    recorders.removeAll { recorder in
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
