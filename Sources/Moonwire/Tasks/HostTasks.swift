public import MoonSession

/// The tasks of sessions.
extension Host {
  /// The tasks of a session that run, in the order in which they began.
  public func taskInfos(of id: SessionID) -> [TaskInfo] { session(id)?.tasks.infos() ?? [] }

  /// How many answers to tasks of a session came too late and were dropped.
  public func lateAnswerCount(of id: SessionID) -> Int { session(id)?.tasks.lateCount ?? 0 }

  /// Ends a task where it waits, and those that it has spawned; false if there is no such task.
  @discardableResult
  public func cancelTask(_ task: TaskID, in id: SessionID) -> Bool {
    guard let session = session(id), session.tasks.cancel(task) else { return false }
    settle()
    timer.endTurn()
    return true
  }

  /// Waits for the tasks of a session that end without anybody dispatching anything, but not longer
  /// than a time, and not for some of them.
  public func tasksRested(
    in id: SessionID, besides others: Set<TaskID> = [], within time: Duration
  ) async -> BackgroundWork {
    let end = timer.clock.now() + time
    while session(id)?.tasks.areAtWork(besides: others) ?? false, timer.clock.now() < end {
      await withCheckedContinuation { timer.wait($0, until: end) }
    }
    return session(id)?.tasks.takeWork() ?? BackgroundWork()
  }

  /// Lets tasks go on whose time has come.
  package func wake() {
    for session in timer.beginTurn().compactMap(session) { work(off: session) }
    restartKilled()
    timer.endTurn()
  }

  /// The way to the sessions from beside the host.
  var door: SessionDoor {
    SessionDoor { [weak self] id, body in
      Task {
        guard let self else { return body(nil) }
        await self.enter(id, body)
      }
    }
  }

  private func enter(_ id: SessionID, _ body: @Sendable ((any EffectHost)?) -> Void) {
    let session = session(id)
    body(session)
    if let session { work(off: session) }
    restartKilled()
    timer.endTurn()
  }

  private func work(off session: Session) {
    let outcome = session.settle()
    session.tasks.note(outcome)
    if outcome.hasChangedState { publish(.worked(session.id, outcome)) }
  }
}
