package import MoonActions
package import MoonModules
package import MoonServiceKit
import MoonTasks
import MoonValues

/// The loop of a session: it takes an action through its pipeline, then the actions that follow
/// from it.
///
/// An action from outside is before all that waits, with what follows from it: its queue is before
/// that of the session's own work, which goes on afterwards.
extension Session {
  /// The maximum number of actions that follow from one dispatch, directly or through others.
  package static let followingMax = 10_000
  /// The maximum number of actions that are carried out as one.
  package static let batchMax = 256

  /// Carries out an action, with others as one, and all actions that follow from them.
  ///
  /// `others` must not be empty.
  ///
  /// - Throws: ``DispatchError`` if one of these actions fails. Failures of those that follow are
  ///   in the outcome.
  package func run(
    _ action: consuming Action, with others: [Action]? = nil, cause: Cause,
    from hands: Set<ModuleName> = []
  ) throws(DispatchError) -> Outcome {
    try environment.activity.checkDispatching()
    if current.isRunning {
      try intake.add(action, with: others ?? [], cause: cause)
      return Outcome(unchanged: state)
    }
    if let others { try others.checkBatch() }
    if let outcome = try TimelineControls.outcome(of: action, with: others, cause, in: self) {
      return outcome
    }
    if timeTravel.timeline.isStill { throw timeTravel.timeline.refusal }
    // Everything so far is kept before anything else happens.
    try recorders.journal?.check()
    current.begin()
    spans.noteCaller()
    slices.noteChanges()
    environment.interruption.clear()
    defer { current.end() }
    goFirst()
    let stamped = stamped(action, cause: cause)
    do throws(DispatchError) {
      try pipeline.process(
        stamped, with: others?.map { self.stamped($0, cause: cause) },
        isMapped: false, after: nil, of: nil, from: hands, bytes: 0)
    } catch {
      _ = drain(id: stamped.id)
      throw error
    }
    // Returned as it is made, since it would be copied otherwise.
    guard let recording = recorders.journal else { return drain(id: stamped.id) }
    let outcome = drain(id: stamped.id)
    try recording.check()
    return outcome
  }

  /// Does something before all that waits, and carries out what follows from it.
  @discardableResult
  package func first(_ begin: () -> Void) -> Outcome {
    if !current.isRunning, !timeTravel.timeline.isStill { goFirst() }
    spans.within(caller: begin)
    return settle(isWhole: true)
  }

  /// Carries out all queued actions.
  ///
  /// Unless `isWhole` is true, some are left for the host's next turn when it has other work.
  @discardableResult
  package func settle(isWhole: Bool) -> Outcome {
    guard !current.isRunning, !timeTravel.timeline.isStill else { return Outcome(unchanged: state) }
    current.begin(isWhole ? .awaited : .background)
    slices.noteChanges()
    environment.interruption.clear()
    defer { current.end() }
    return drain(id: 0)
  }

  /// Carries out all queued actions, and then those that control the timeline; returns the outcome
  /// since the slices' changes began to be noted.
  private func drain(id: Int64) -> Outcome {
    let isIdle = queue.isEmpty && !modules.hasKilled && !taskState.areReady
    let followingCount =
      (isIdle ? 0 : QueueWork(self).carryOut()) + Presenting(session: self).updateShown()
    if queues.behind != nil { goOn() }
    if queue.isEmpty { taskState.isBehind = false }
    for error in recorders.keep() { environment.report(.copyEnded(self.id, error)) }
    let records = current.takeRecords { navigation.tree(in: state) }
    if timeTravel.controls.isEmpty { return Outcome(id: id, of: self, followingCount, records) }
    return TimelineControls(session: self).finish(
      Outcome(id: id, of: self, followingCount, records))
  }
}

extension Outcome {
  /// Makes the outcome since the changes of a session's slices began to be noted, and stops noting
  /// them.
  fileprivate init(
    id: Int64, of session: Session, _ followingCount: Int, _ records: Records?
  ) {
    self.init(
      id: id, before: session.slices.takeFormer(), after: session.state,
      followingCount: followingCount, records: records)
  }
}

extension Session {
  /// The queued actions, apart from those that give way.
  var queue: SessionQueue {
    get { queues.front }
    _modify { yield &queues.front }
  }

  /// The number of queued actions, apart from those that give way.
  package var queuedCount: Int { queue.count }

  /// Lets all that waits give way to what is queued from now on.
  func goFirst() {
    guard !queue.isEmpty || taskState.areReady else { return }
    queues.open(SessionQueue())
    begunTasks?.lanes.open(ReadyTasks())
    taskState.areReady = false
  }

  /// Lets the work go on that has given way.
  private func goOn() {
    if let rest = queues.close() { queue.append(contentsOf: rest) }
    if let tasks = begunTasks, let later = tasks.lanes.close() {
      for next in later.items() { tasks.ready.append(next, of: next.task.effect.owner) }
      taskState.areReady = !tasks.ready.isEmpty
    }
    if !queue.isEmpty || taskState.areReady { tasks.postpone() }
  }

  /// Leaves what waits, and what is to be told, for the host's next turn.
  package func leaveWork() {
    if !timeTravel.timeline.isStill { taskState.isBehind = true }
    tasks.postpone()
  }

  /// Passes the first action of each owner to a function.
  func forEachFirstQueued(_ body: (QueuedAction) -> Void) {
    queue.forEachFirst(body)
    queues.behind?.forEachFirst(body)
  }

  /// Passes each queued action to a function, in no particular order.
  func forEachQueued(_ body: (QueuedAction) -> Void) {
    queue.forEach(body)
    queues.behind?.forEach(body)
  }
}

extension [Action] {
  /// The actions that are carried out as one with the first; nil for none.
  package var others: [Action]? { count > 1 ? Array(dropFirst()) : nil }
}

extension [Action] {
  /// Checks the number of actions that are carried out as one with another.
  ///
  /// - Throws: ``DispatchError/batchTooLong(count:max:)``.
  func checkBatch() throws(DispatchError) {
    guard count < Session.batchMax else {
      throw .batchTooLong(count: count + 1, max: Session.batchMax)
    }
  }
}
