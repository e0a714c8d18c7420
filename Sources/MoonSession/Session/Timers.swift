package import MoonActions
package import MoonModules
package import MoonServiceKit
import MoonTasks
import MoonValues

/// The timers and schedules of a session's modules.
package struct Timers: ContextTimers {
  let session: Session

  private var tasks: TaskScheduler { session.tasks }

  /// Starts a timer for a module.
  ///
  /// - Throws: ``TimerError``.
  package func start(
    _ action: Action, after first: Duration, every: Duration?, of module: ModuleName
  ) throws(TimerError) -> TaskID {
    do throws(DispatchError) {
      // Checked here and again at each run, so that the caller gets the error.
      try EffectChain.check(session.current.effectDepth, .native)
      _ = try session.listeners(to: action, cause: .module(module.text, .timer))
    } catch {
      throw .action(error)
    }
    do throws(TaskError) {
      return try start(
        action, after: first, every: every,
        as: BoundRegistration(Registration(.timer, action.type.string), of: module))
    } catch {
      throw .refused(error.text)
    }
  }

  /// Cancels a task of a module; returns false if it has ended.
  package func cancel(_ task: TaskID, of module: ModuleName) -> Bool {
    session.begunTasks != nil && tasks.owner(of: task) == module && tasks.cancel(task)
  }

  /// Makes the schedules of modules run as the modules in service declare them.
  ///
  /// Those that are as before keep their times.
  func renew(of modules: Set<ModuleName>) {
    guard session.begunTasks != nil || session.modules.haveSchedules else { return }
    for name in modules.sorted() {
      guard let entry = session.modules[name],
        session.begunTasks != nil || !entry.module.schedules.isEmpty,
        !session.modules.suspension.modules.contains(name)
      else { continue }
      renew(of: entry.module)
      noteGeneration(entry.generation, of: name)
    }
  }

  private func renew(of module: Module) {
    var former = Dictionary(
      grouping: tasks.schedules.removeValue(forKey: module.name) ?? [],
      by: \.schedule.action.type)
    var current: [ScheduledTask] = []
    for schedule in module.schedules {
      let type = schedule.action.type
      if let same = former[type]?.firstIndex(where: { $0.schedule.isSame(as: schedule) }),
        let kept = former[type]?.remove(at: same)
      {
        current.append(kept)
      } else if let task = start(schedule, of: module.name) {
        current.append(ScheduledTask(schedule: schedule, task: task))
      }
    }
    for old in former.values.joined() {
      if let task = tasks[old.task] { tasks.end(task, .cancelled) }
    }
    if !current.isEmpty { tasks.schedules[module.name] = current }
  }

  private func start(_ schedule: Schedule, of module: ModuleName) -> TaskID? {
    let registration = BoundRegistration(schedule.registration, of: module)
    let first = schedule.after ?? schedule.every ?? .zero
    do throws(TaskError) {
      return try start(schedule.action, after: first, every: schedule.every, as: registration)
    } catch {
      let failure = CodeFailure(.raised(error.text))
      session.caller.note(session.caller.fault(failure, registration, schedule.action))
      return nil
    }
  }

  private func start(
    _ action: Action, after first: Duration, every: Duration?, as registration: BoundRegistration
  ) throws(TaskError) -> TaskID {
    let bound = registration.effect
    let cause = Cause.module(registration.owner.text, registration.registration.kind)
    var action = action
    action.note(id: session.current.actionID ?? 0, time: 0, cause: cause, parent: nil)
    let run = TimerRun(
      after: first, every: every, now: session.environment.deadlines.now
    ) { [weak session, action] in
      session?.intake.addNotingFailure(action, cause: cause, by: bound)
    }
    let task = try tasks.makeTask(bound, on: action, run: run)
    tasks.hold(task, until: run.wait)
    return task.id
  }

  /// Notes the generation that the timers of a module belong to now.
  private func noteGeneration(_ generation: Int, of module: ModuleName) {
    for task in tasks.living.values where task.effect.owner == module && task.isTimer {
      task.origin.generation = generation
    }
  }
}

extension Session {
  var schedules: Timers { Timers(session: self) }
  package var timers: any ContextTimers { schedules }
}
