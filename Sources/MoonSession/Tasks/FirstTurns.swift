import MoonStore

/// The first turns of code that runs on behalf of registrations, such as guards.
///
/// The code becomes a task only when it waits, or when something asks for the task that is running.
/// Most guards do neither, which takes 2,000 instructions less.
struct FirstTurns {
  /// The result of code's first turn.
  enum Result {
    /// The code has ended.
    case ended(EffectTask.Ending)
    /// The code waits, as a task.
    case waits(TaskID)
  }

  private let scheduler: TaskScheduler

  init(_ scheduler: TaskScheduler) { self.scheduler = scheduler }

  /// Runs code on behalf of a registration until its first wait.
  ///
  /// `completion` receives the ending of code that waits.
  ///
  /// - Throws: ``Refused`` if the code couldn't become a task.
  func run(
    _ code: any EffectRun, as registration: BoundRegistration, on action: Action,
    within lifeMax: Duration? = nil, then completion: @escaping (EffectTask.Ending) -> Void
  ) throws(Refused) -> Result {
    guard let session = scheduler.session else { throw Refused("the session is closed") }
    let effect = registration.effect
    _ = try scheduler.tallies.withRoom(of: effect.owner, session.environment.taskLimits)
    let outer = scheduler.running
    defer { scheduler.running = outer }
    scheduler.running = EffectTask.Running(
      firstTurn: EffectTask.FirstTurn(effect: effect, action: action, code: code, lifeMax: lifeMax))
    // A recording may hold back the turn of a task.
    guard session.history.recording == nil else { return go(asTask: completion) }
    let step: EffectStep
    do throws(Fault) {
      step = try session.caller.call(effect, on: action) { () in
        try code.resume(with: .begin) {
          TaskPlace(
            session: session.id, task: scheduler.current?.id ?? TaskID(0), module: effect.owner,
            access: session.environment.access)
        }
      }
    } catch {
      return end(with: .failed(error))
    }
    switch step {
    case .finished(let values): return end(with: .finished(values))
    case .waits(let wait):
      guard let task = scheduler.firstTask() else { return .ended(.cancelled) }
      scheduler.running.task = nil
      if task.standing == .cancelled {
        scheduler.close(task)
      } else {
        scheduler.hold(task, until: wait)
      }
      return result(of: task, then: completion)
    }
  }

  /// Ends the first turn of code that doesn't wait.
  private func end(with ending: EffectTask.Ending) -> Result {
    guard let task = scheduler.running.firstTurn?.task else { return .ended(ending) }
    scheduler.running.task = nil
    var ending = ending
    if case .failed(let fault) = ending {
      ending = .failed(fault.after(task.lastWait, scheduler.endings))
    }
    scheduler.end(task, ending)
    return .ended(ending)
  }

  /// Lets the code take its first turn as a task.
  private func go(asTask completion: @escaping (EffectTask.Ending) -> Void) -> Result {
    guard let task = scheduler.firstTask() else { return .ended(.cancelled) }
    var ending: EffectTask.Ending?
    task.origin.asker?.completion = { ending = $0 }
    scheduler.go(task, on: .begin)
    if let ending { return .ended(ending) }
    return result(of: task, then: completion)
  }

  private func result(
    of task: EffectTask, then completion: @escaping (EffectTask.Ending) -> Void
  ) -> Result {
    if task.standing == .ended { return .ended(.cancelled) }
    task.origin.asker?.completion = completion
    return .waits(task.id)
  }
}
