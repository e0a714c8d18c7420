package import MoonModules
import MoonTasks

/// The recording of a session's commits.
///
/// Nothing that depends on a commit leaves the host before the commit is kept: no outcome is
/// returned, and no code of a task runs. Confined to the host.
package final class Recording {
  package let recorder: any CommitRecorder
  private unowned let session: Session
  /// The tasks that run once all commits are kept, with the answers that they resume with.
  private var held: [(task: EffectTask, answer: WaitAnswer)] = []
  /// The operations of durable tasks that start once all is kept, with the number of the wait.
  private var unstarted: [(task: EffectTask, wait: Int)] = []
  /// Whether the caller keeps the commits itself, together with those of others.
  package var isShared = false
  /// The reason that commits couldn't be kept; nil if all were.
  package private(set) var failure: JournalError?
  /// The id of the last action of the earlier run; nil if there was none.
  package var resumedAfter: Int64?

  /// Makes the recording of a session.
  package init(of session: Session, by recorder: any CommitRecorder) {
    self.session = session
    self.recorder = recorder
  }

  /// Checks that everything so far is kept, before anything else may happen.
  ///
  /// What couldn't be kept before is tried again.
  ///
  /// - Throws: ``DispatchError/notKept(_:)``.
  func check() throws(DispatchError) {
    guard failure != nil else { return }
    keepNow()
    if let failure { throw .notKept(failure) }
  }

  /// Keeps all commits, unless they are kept together with others', and lets the waiting tasks run.
  ///
  /// A failure is reported once.
  package func keep() {
    if !isShared { keepNow() }
  }

  private func keepNow() {
    if !recorder.isKept || failure != nil {
      let span = session.spans.open(.commit(in: session.id))
      do throws(JournalError) {
        try recorder.keep()
        span?.end(.done)
      } catch {
        span?.end(.failed("not kept"))
        return note(error)
      }
    }
    noteKept()
  }

  /// Notes that all commits are kept, and lets the waiting tasks run in their next turn.
  package func noteKept() {
    failure = nil
    if !unstarted.isEmpty { startOperations() }
    guard !held.isEmpty else { return }
    let released = held
    held = []
    for (task, answer) in released where task.standing == .alive {
      session.tasks.release(task)
      session.tasks.makeReady(task, answer)
    }
  }

  /// Notes that commits can't be kept, and reports it if it is news.
  package func note(_ error: JournalError) {
    let isNew = failure != error
    failure = error
    if isNew { session.environment.report(.notKept(session.id, error)) }
  }

  /// Returns whether code of a task may run; it otherwise runs once all commits are kept.
  func admits(_ task: EffectTask, on answer: WaitAnswer) -> Bool {
    if isAllKept() { return true }
    session.tasks.hold(task, until: .turn)
    held.append((task, answer))
    return false
  }

  /// Returns whether the operation that a durable task waits for may start; it otherwise starts
  /// once the wait is kept.
  func admitsOperation(of task: EffectTask) -> Bool {
    if isAllKept() { return true }
    unstarted.append((task, task.waitNumber))
    return false
  }

  /// Returns whether all commits are kept, if need be now.
  private func isAllKept() -> Bool {
    if recorder.isKept, failure == nil { return true }
    if isShared { return false }
    keepNow()
    // A whole state that another thread adds meanwhile holds up nobody.
    return failure == nil
  }

  /// Whether tasks wait until all is kept.
  package var holdsTasks: Bool { !held.isEmpty || !unstarted.isEmpty }

  private func startOperations() {
    let waiting = unstarted
    unstarted = []
    for (task, number) in waiting where task.waitNumber == number {
      if case .operation(let operation)? = task.wait {
        task.start(operation, in: session)
      }
    }
  }
}

/// The receivers of a session's commits: the journal that keeps the session, and recordings beside
/// it.
///
/// Confined to the host.
package struct CommitRecorders {
  /// The recording that keeps all commits for another run; nil if nothing does.
  package var journal: Recording?
  /// The recordings beside it.
  ///
  /// None of them holds up the session: one that can't be written ends.
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
    if copies.isEmpty { return [] }
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
