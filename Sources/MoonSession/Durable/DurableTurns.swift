import MoonStore
package import MoonValues

/// The turns and waits of durable tasks.
extension TaskScheduler {
  /// The durable tasks of the session; nil if nothing keeps its commits.
  package var durable: DurableTasks? { session?.history.recording?.durable }

  /// Runs the code of a task until its next wait or its end.
  ///
  /// - Throws: ``Fault``
  func takeTurn(_ task: EffectTask, on answer: WaitAnswer) throws(Fault) -> EffectStep {
    guard let session else { return .finished([]) }
    return task.durable != nil
      ? try takeDurableTurn(task, on: answer) : try call(task, on: answer, in: session)
  }

  /// Calls the code of a task.
  ///
  /// - Throws: ``Fault``
  private func call(
    _ task: EffectTask, on answer: WaitAnswer, in session: Session
  ) throws(Fault) -> EffectStep {
    try session.caller.call(task) { context in
      if task.run == nil { task.run = try task.effect.part.body(task.action, context) }
      let place = TaskPlace(
        session: session.id, task: task.id, module: task.effect.owner,
        access: session.environment.access)
      return try task.run?.resume(with: answer, at: place) ?? .finished([])
    }
  }

  /// Runs the code of a part until its next wait, and notes the turn.
  private func takeDurableTurn(_ part: EffectTask, on answer: WaitAnswer) throws(Fault)
    -> EffectStep
  {
    guard let session, let member = part.durable else { return .finished([]) }
    let task = member.task
    task.beginTurn(of: member.number)
    do throws(Fault) {
      let step = try call(part, on: answer, in: session)
      task.endTurn(waits: step.waits, until: step.end(from: session.environment.clock.now()))
      if let payload = task.continuation, !task.isReplaying {
        task.continuation = nil
        durable?.beginAnew(task, with: payload)
        cancelParts(of: task)
      }
      return step
    } catch {
      task.endTurn(waits: false, until: nil)
      throw error
    }
  }

  private func cancelParts(of task: DurableTask) {
    for id in task.partIDs { cancel(id) }
  }

  /// Holds a part; returns whether its wait isn't started now.
  func holdDurable(_ part: EffectTask, until wait: Wait) -> Bool {
    guard !part.isReplaying else {
      // Its parts end in this order again, and their errors are answers again.
      if case .tasks(let ids, let goal, _) = wait { arm(part, .tasks(ids, goal, within: nil)) }
      return true
    }
    switch wait {
    case .operation:
      guard let recording = session?.history.recording else { return false }
      return !recording.admitsOperation(of: part)
    case .request(.outcome):
      if let member = part.durable { durable?.noteAsked(by: member) }
      return false
    default: return false
    }
  }

  /// Notes an answer to a wait of a part; returns false if the log has the answer.
  func noteAnswer(_ answer: WaitAnswer, to member: DurableTask.Member) -> Bool {
    guard !member.task.isReplaying else { return false }
    durable?.noteAnswer(to: member, answer)
    return true
  }

  /// Starts the wait of a part that the log has led to.
  func rearm(_ part: EffectTask, _ wait: Wait) {
    release(part)
    if case .tasks(let ids, let goal, _) = wait, let outcome = outcome(of: ids, goal) {
      part.wait = wait
      return answer(part, .values(outcome))
    }
    hold(part, until: wait)
  }

  /// Ends the wait of a part that the log has led to.
  func answerNow(_ part: EffectTask, _ answer: WaitAnswer) { self.answer(part, answer) }

  /// Closes a part that was cancelled in its log at its next turn.
  func makeReadyToClose(_ part: EffectTask) {
    ready.append(part)
    noteReady()
  }

  /// Ends the parts of a task without running their code.
  func drop(_ task: DurableTask) {
    for id in task.partIDs {
      guard let part = self[id] else { continue }
      part.run = nil
      end(part, .cancelled)
    }
  }

  /// Ends an effect, and begins it anew with another payload.
  ///
  /// - Throws: ``Refused`` if the effect isn't durable, or a part other than the first calls.
  package func beginAnew(with payload: Value) throws(Refused) {
    guard let part = current, part.effect.part.durability != nil else {
      throw Refused("only an effect with durable = true can begin anew")
    }
    guard part.origin.parent == nil else {
      throw Refused("only the effect itself can begin anew, not a function that it has spawned")
    }
    if let member = part.durable {
      guard durable?.effect(of: member.task.beginning) != nil else {
        throw Refused("module \(part.effect.owner) has no such effect any more")
      }
      member.task.continuation = payload
      return
    }
    var action = part.action
    action.payload = payload
    let next = try makeTask(part.effect, on: action)
    add(next)
    makeReady(next, .begin)
    cancel(part.id)
  }
}

extension EffectStep {
  fileprivate var waits: Bool { if case .waits = self { true } else { false } }

  /// The time at which the wait ends, in seconds since 1970; nil if none is set.
  fileprivate func end(from now: Double) -> Double? {
    switch self {
    case .waits(.sleep(let time)): now + time / .seconds(1)
    case .waits(.tasks(_, _, within: let limit?)): now + limit / .seconds(1)
    default: nil
    }
  }
}
