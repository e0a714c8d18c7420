import MoonLua
public import MoonSession

/// The tasks of sessions.
extension Host {
  /// Returns the running tasks of a session, in the order in which they began.
  public func taskInfos(of id: SessionID) -> [TaskInfo] { session(id)?.tasks.infos() ?? [] }

  /// Returns the number of answers that arrived after their wait had ended, and were dropped.
  public func lateAnswerCount(of id: SessionID) -> Int { session(id)?.tasks.lateCount ?? 0 }

  /// Cancels a task and the tasks that it spawned; returns false if there is no such task.
  @discardableResult
  public func cancelTask(_ task: TaskID, in id: SessionID) -> Bool {
    guard let session = session(id), session.tasks.cancel(task) else { return false }
    settle(tellingChanges: true)
    timer.endTurn()
    return true
  }

  /// Waits until all tasks of a session have ended or wait for an action or a change, and returns
  /// their results.
  ///
  /// The wait doesn't include the tasks in `others`, and takes no longer than `time`.
  public func waitForTasks(
    in id: SessionID, besides others: Set<TaskID> = [], within time: Duration
  ) async -> BackgroundResults {
    let end = timer.clock.now() + time
    while let session = session(id), !session.timeTravel.timeline.isStill,
      session.tasks.haveWork(besides: others), timer.clock.now() < end
    {
      await withCheckedContinuation { timer.wait($0, until: end) }
    }
    return session(id)?.tasks.takeWork() ?? BackgroundResults()
  }

  /// Resumes the tasks whose deadlines have passed.
  package func wake() {
    for session in timer.beginTurn().compactMap(session) { work(off: session) }
    restartKilled()
    timer.endTurn()
  }

  /// Access to the sessions from any thread; a task for each would change threads three times.
  var access: SessionAccess {
    SessionAccess { [weak self, executor] id, body in
      executor.run { [weak self] in
        guard let self else { return body(nil) }
        self.assumeIsolated { $0.enter(id, body) }
      }
    }
  }

  private func enter(_ id: SessionID, _ body: @Sendable ((any EffectSession)?) -> Void) {
    let session = session(id)
    body(session)
    if let session { work(off: session) }
    restartKilled()
    timer.endTurn()
  }

  /// Carries out what waits in a session, and tells what it has changed if `tells` says so.
  func work(off session: Session, _ tells: Bool = true) {
    let outcome = session.settle()
    if tells { session.tasks.note(outcome) }
    if tells, outcome.hasChangedState { publish([.tasksChangedState(session.id, outcome)]) }
  }
}
