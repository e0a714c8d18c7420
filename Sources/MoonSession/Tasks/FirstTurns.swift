import MoonStore
import MoonValues

/// The first turns of code that runs on behalf of registrations, such as guards.
///
/// The code becomes a task only when it waits, or when something asks for the task that is running.
/// Most guards do neither, which takes 2,000 instructions less.
struct FirstTurns {
  /// The result of code's first turn.
  enum Result {
    /// The code has returned these values.
    case finished([Value?])
    /// The code has ended otherwise.
    case unfinished(Unfinished)
    /// The code waits, as a task.
    case waits(TaskID)

    /// Takes an ending.
    init(_ ending: EffectTask.Ending) {
      if case .finished(let values) = ending {
        self = .finished(values)
      } else {
        self = .unfinished(Unfinished(ending))
      }
    }
  }

  /// The ending of code that hasn't returned: an object, since a fault is large and rare.
  final class Unfinished {
    let ending: EffectTask.Ending

    init(_ ending: EffectTask.Ending) { self.ending = ending }
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
    guard scheduler.running.isNone else {
      return try interrupt(code, as: registration, on: action, within: lifeMax, then: completion)
    }
    guard let session = scheduler.session else { throw Refused("the session is closed") }
    let effect = registration.effect
    if !(try scheduler.tallies.checkLatestRoom(of: effect.owner)) {
      _ = try scheduler.tallies.withRoom(of: effect.owner, session.environment.taskLimits)
    }
    scheduler.running.firstTurn = EffectTask.FirstTurn(
      effect: effect, code: code, action: action, lifeMax: lifeMax)
    defer {
      scheduler.running = EffectTask.Running()
      extendLifetime(effect)
      extendLifetime(code)
    }
    // A recording may hold back the turn of a task.
    guard session.history.recording == nil else { return go(asTask: completion) }
    do {
      // Not kept in a variable, which would be copied.
      switch try session.caller.callUncaught(
        effect,
        { _ in
          try code.resume(with: .begin) {
            TaskPlace(
              session: session.id, task: scheduler.current?.id ?? TaskID(0), module: effect.owner,
              access: session.environment.access)
          }
        })
      {
      case .finished(let values):
        if let task = scheduler.running.firstTurn?.task {
          return end(task, with: .finished(values))
        }
        return .finished(values)
      case .waits(let wait): return hold(until: wait, then: completion)
      }
    } catch {
      return fail(error, effect, action, in: session)
    }
  }

  /// Like ``run(_:as:on:within:then:)``, while other code runs.
  @inline(never)
  private func interrupt(
    _ code: any EffectRun, as registration: BoundRegistration, on action: Action,
    within lifeMax: Duration?, then completion: @escaping (EffectTask.Ending) -> Void
  ) throws(Refused) -> Result {
    let outer = exchange(&scheduler.running, with: EffectTask.Running())
    defer { scheduler.running = outer }
    return try run(code, as: registration, on: action, within: lifeMax, then: completion)
  }

  /// Lets the code wait, as a task.
  @inline(never)
  private func hold(
    until wait: Wait, then completion: @escaping (EffectTask.Ending) -> Void
  ) -> Result {
    guard let task = scheduler.firstTask() else { return Result(.cancelled) }
    scheduler.running.task = nil
    if task.standing == .cancelled {
      scheduler.close(task)
    } else {
      scheduler.hold(task, until: wait)
    }
    return result(of: task, then: completion)
  }

  /// Ends the first turn of code that has failed.
  @inline(never)
  private func fail(
    _ error: any Error, _ effect: Bound<Effect>, _ action: Action, in session: Session
  ) -> Result {
    let ending = EffectTask.Ending.failed(session.caller.fault(error, effect, action))
    guard let task = scheduler.running.firstTurn?.task else { return Result(ending) }
    return end(task, with: ending)
  }

  /// Ends the task that code has become in its first turn.
  @inline(never)
  private func end(_ task: EffectTask, with ending: EffectTask.Ending) -> Result {
    scheduler.running.task = nil
    var ending = ending
    if case .failed(let fault) = ending {
      ending = .failed(fault.after(task.lastWait, scheduler.endings))
    }
    scheduler.end(task, ending)
    return Result(ending)
  }

  /// Lets the code take its first turn as a task.
  @inline(never)
  private func go(asTask completion: @escaping (EffectTask.Ending) -> Void) -> Result {
    guard let task = scheduler.firstTask() else { return Result(.cancelled) }
    var ending: EffectTask.Ending?
    task.origin.asker?.completion = { ending = $0 }
    scheduler.go(task, on: .begin)
    if let ending { return Result(ending) }
    return result(of: task, then: completion)
  }

  private func result(
    of task: EffectTask, then completion: @escaping (EffectTask.Ending) -> Void
  ) -> Result {
    if task.standing == .ended { return Result(.cancelled) }
    task.origin.asker?.completion = completion
    return .waits(task.id)
  }
}
