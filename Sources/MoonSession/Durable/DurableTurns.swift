import MoonActions
package import MoonModules
import MoonServiceKit
import MoonTasks
package import MoonValues

/// The turns and waits of the parts of durable tasks.
package struct DurableTurns {
  private let scheduler: TaskScheduler
  private var durable: DurableTasks? { scheduler.durable }

  package init(_ scheduler: TaskScheduler) { self.scheduler = scheduler }

  /// Runs the code of a part until its next wait, and notes the turn.
  ///
  /// - Throws: ``Fault``
  func take(_ part: EffectTask, on answer: WaitAnswer, in session: Session) throws(Fault)
    -> EffectStep
  {
    guard let member = part.durable else { return .finished([]) }
    let task = member.task
    task.beginTurn(of: member.number)
    do throws(Fault) {
      let step = try part.takeTurn(on: answer, in: session)
      task.endTurn(waits: step.waits, until: step.end(from: session.environment.clock.now()))
      if let payload = task.continuation, !task.isReplaying {
        task.continuation = nil
        durable?.beginAnew(task, with: payload)
        for id in task.partIDs { scheduler.cancel(id) }
      }
      return step
    } catch {
      task.endTurn(waits: false, until: nil)
      throw error
    }
  }

  /// Holds a part; returns whether its wait isn't started now.
  func hold(_ part: EffectTask, until wait: Wait) -> Bool {
    guard !part.isReplaying else {
      // Its parts end in the same order, and their errors are answers again.
      if case .tasks(let ids, let goal, _) = wait {
        scheduler.arm(part, .tasks(ids, goal, within: nil))
      }
      return true
    }
    switch wait {
    case .operation:
      guard let recording = scheduler.session?.recorders.journal else { return false }
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

  /// Holds back the ending of a command while a durable task must not learn of it; returns false if
  /// it ends now.
  func holdEnding(of command: EffectTask, _ ending: EffectTask.Ending) -> Bool {
    command.origin.asker != nil && durable?.holdEnding(of: command, ending) ?? false
  }

  /// Starts the wait of a part that the log has led to.
  func rearm(_ part: EffectTask, _ wait: Wait) {
    scheduler.release(part)
    if case .tasks(let ids, let goal, _) = wait, let outcome = scheduler.outcome(of: ids, goal) {
      part.wait = wait
      return scheduler.answer(part, .values(outcome))
    }
    scheduler.hold(part, until: wait)
  }

  /// Ends the parts of a task without running their code.
  func drop(_ task: DurableTask) {
    for id in task.partIDs {
      guard let part = scheduler[id] else { continue }
      part.run = nil
      scheduler.end(part, .cancelled)
    }
  }

  /// Ends an effect, and restarts it with another payload.
  ///
  /// - Throws: ``TaskError`` if the effect isn't durable, or a part other than the first calls.
  package func beginAnew(with payload: Value) throws(TaskError) {
    guard let part = scheduler.current, part.effect.part.durability != nil else {
      throw TaskError("only an effect with durable = true can begin anew")
    }
    guard part.origin.parent == nil else {
      throw TaskError("only the effect itself can begin anew, not a function that it has spawned")
    }
    if let member = part.durable {
      guard durable?.effect(of: member.task.beginning) != nil else {
        throw TaskError("module \(part.effect.owner) has no such effect any more")
      }
      member.task.continuation = payload
      return
    }
    var action = part.action
    action.payload = payload
    let next = try scheduler.makeTask(part.effect, on: action)
    scheduler.add(next)
    scheduler.makeReady(next, .begin)
    scheduler.cancel(part.id)
  }
}

extension TaskScheduler {
  /// The durable tasks of the session; nil if nothing keeps its commits.
  package var durable: DurableTasks? { session?.durable }
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
