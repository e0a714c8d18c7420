import MoonModules
import MoonServiceKit
import MoonTasks
import MoonValues

/// The run of a durable task from its start to where it was, answered by its log.
struct TaskReplay {
  let session: Session
  let task: DurableTask
  private var scheduler: TaskScheduler { session.tasks }

  /// Runs the code through the turns in the log, then lets it continue.
  ///
  /// `asked` are the actions whose outcome parts wait for.
  func run(_ asked: [KeptTasks.Asked], in tasks: DurableTasks) {
    replay()
    guard task.mismatch == nil else { return fail(in: tasks) }
    task.mode = .live
    if task.continuation != nil {
      // It was restarted, and only what it had dispatched isn't settled.
      tasks.finishWhenSettled(task, "continued")
      return DurableTurns(scheduler).drop(task)
    }
    guard !task.hasEnded else { return tasks.finishWhenSettled(task, "finished") }
    for one in asked where task.recorded.answers[one.part] == nil {
      guard let outcome = one.outcome else { continue }
      let answer = tasks.machines.encoded(.values([outcome]))
      task.noteAnswer(to: one.part, answer)
      task.recorded.answers[one.part] = answer
    }
    for id in task.partIDs { goOn(id, in: tasks) }
  }

  /// Runs the code through the turns in the log.
  ///
  /// The actions that are dispatched again, and the commands that are called again, follow
  /// afterwards.
  func replay() {
    let outer = session.current.interrupt()
    defer {
      session.current.resume(outer)
      session.intake.askToSettleRest()
    }
    for (index, entry) in task.log.entries.enumerated() {
      if let number = entry["answer"]?.intValue {
        task.recorded.answers[Int(clamping: number)] = entry["value"] ?? .null
      } else if let number = entry["result"]?.intValue {
        task.recorded.results[Int(clamping: number)] = entry["value"] ?? .null
      } else if let number = entry["turn"]?.intValue {
        take(Int(clamping: number), entry, at: index)
      }
      guard task.mismatch == nil else { return }
    }
  }

  private func take(_ number: Int, _ entry: Value, at index: Int) {
    guard let part = task.id(of: number).flatMap({ scheduler[$0] }) else {
      task.differ("a turn of part \(number)", "no such part")
      return
    }
    let answer = task.recorded.answers.removeValue(forKey: number)
    task.recorded.turn = (index, entry)
    scheduler.release(part)
    session.current.begin(part)
    if entry["cancelled"] == true {
      part.standing = .cancelled
      scheduler.close(part)
    } else {
      if let end = entry["until"]?.doubleValue { task.recorded.ends[number] = end }
      scheduler.go(part, on: answer.map { .recorded($0) } ?? .begin)
    }
  }

  /// Lets a part continue from where it is.
  private func goOn(_ id: TaskID, in tasks: DurableTasks) {
    guard let part = scheduler[id], let number = part.durable?.number else { return }
    if part.standing == .cancelled {
      scheduler.makeReadyToClose(part)
    } else if let answer = task.recorded.answers.removeValue(forKey: number) {
      scheduler.release(part)
      scheduler.makeReady(part, .recorded(answer))
    } else if let wait = part.wait {
      wakeUp(part, number, wait, in: tasks)
    } else {
      scheduler.makeReady(part, .begin)
    }
  }

  private func wakeUp(
    _ part: EffectTask, _ number: Int, _ wait: Wait, in tasks: DurableTasks
  ) {
    let now = session.environment.clock.now()
    let rest = task.recorded.ends[number].map { Duration.seconds(max(0, $0 - now)) }
    switch wait {
    case .sleep(let time): DurableTurns(scheduler).rearm(part, .sleep(rest ?? time))
    case .tasks(let ids, let goal, let limit):
      DurableTurns(scheduler).rearm(part, .tasks(ids, goal, within: limit.map { rest ?? $0 }))
    // The state may have changed since.
    case .change: scheduler.answer(part, .values([]))
    case .operation(let operation) where tasks.retry(of: task) == .never:
      scheduler.answer(part, .recorded(tasks.machines.cutOff(operation.name)))
    default: DurableTurns(scheduler).rearm(part, wait)
    }
  }

  /// Stops the task at a difference between the log and the code.
  private func fail(in tasks: DurableTasks) {
    guard let mismatch = task.mismatch, let effect = task.partIDs.first.flatMap({ scheduler[$0] })
    else { return }
    let failure = CodeFailure(.raised(mismatch.description))
    let bound = effect.effect
    tasks.stop(task)
    session.caller.note(session.caller.fault(failure, bound, task.beginning.action))
  }
}
