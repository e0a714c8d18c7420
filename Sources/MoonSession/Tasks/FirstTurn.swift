import MoonStore

/// Code that runs until its first wait on behalf of a registration, such as a guard's.
///
/// It becomes a task only when it waits, or when something asks for the task that is running. Most
/// guards do neither, which takes 3,000 instructions less.
struct FirstTurn {
  /// The result of code's first turn.
  enum Result {
    /// The code has ended.
    case ended(EffectTask.Ending)
    /// The code waits, as a task.
    case waits(TaskID)
  }

  let effect: Bound<Effect>
  let action: Action
  let code: any EffectRun
  let tally: TaskTally
  let lifeMax: Duration?
  /// The task that the code has become.
  var task: EffectTask?
}

extension TaskScheduler {
  /// Runs code on behalf of a registration until its first wait.
  ///
  /// `completion` receives the ending of code that waits.
  ///
  /// - Throws: ``Refused`` if the code couldn't become a task.
  func run(
    _ code: any EffectRun, as registration: BoundRegistration, on action: Action,
    within lifeMax: Duration? = nil, then completion: @escaping (EffectTask.Ending) -> Void
  ) throws(Refused) -> FirstTurn.Result {
    guard let session else { throw Refused("the session is closed") }
    let effect = registration.effect
    let outer = (running, firstTurn)
    defer { (running, firstTurn) = outer }
    running = nil
    firstTurn = FirstTurn(
      effect: effect, action: action, code: code, tally: try tally(of: effect), lifeMax: lifeMax)
    // A recording may hold back the turn of a task.
    guard session.history.recording == nil else { return go(asTask: completion) }
    let step: EffectStep
    do throws(Fault) {
      step = try session.caller.call(effect, on: action) { () in
        try code.resume(with: .begin) {
          TaskPlace(
            session: session.id, task: current?.id ?? TaskID(0), module: effect.owner,
            access: session.environment.access)
        }
      }
    } catch {
      return end(with: .failed(error))
    }
    switch step {
    case .finished(let values): return end(with: .finished(values))
    case .waits(let wait):
      guard let task = firstTurn?.task ?? makeFirst() else { return .ended(.cancelled) }
      running = nil
      if task.standing == .cancelled { close(task) } else { hold(task, until: wait) }
      return result(of: task, then: completion)
    }
  }

  /// Makes the task of the code that runs; nil if there is none, or if it was made already.
  func makeFirst() -> EffectTask? {
    guard let session, let turn = firstTurn, turn.task == nil else { return nil }
    let task = makeTask(
      turn.effect, on: turn.action, turn.tally, run: turn.code,
      for: EffectTask.Asker(within: turn.lifeMax) { _ in }, in: session)
    firstTurn?.task = task
    running = task
    return task
  }

  /// Ends the first turn of code that doesn't wait.
  private func end(with ending: EffectTask.Ending) -> FirstTurn.Result {
    guard let task = firstTurn?.task else { return .ended(ending) }
    running = nil
    guard case .failed(let fault) = ending else {
      end(task, ending)
      return .ended(ending)
    }
    let explained = EffectTask.Ending.failed(fault.after(task.lastWait, endings))
    end(task, explained)
    return .ended(explained)
  }

  /// Lets the code take its first turn as a task.
  private func go(asTask completion: @escaping (EffectTask.Ending) -> Void) -> FirstTurn.Result {
    guard let task = makeFirst() else { return .ended(.cancelled) }
    var ending: EffectTask.Ending?
    task.origin.asker?.completion = { ending = $0 }
    go(task, on: .begin)
    if let ending { return .ended(ending) }
    return result(of: task, then: completion)
  }

  private func result(
    of task: EffectTask, then completion: @escaping (EffectTask.Ending) -> Void
  ) -> FirstTurn.Result {
    if task.standing == .ended { return .ended(.cancelled) }
    task.origin.asker?.completion = completion
    return .waits(task.id)
  }
}
