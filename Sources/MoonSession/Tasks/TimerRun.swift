import MoonStore

/// The run of a timer: it dispatches an action once, or again and again.
///
/// It holds no code of its module, so that it can outlive a generation.
final class TimerRun: EffectRun {
  private var next: Duration
  private let every: Duration?
  private let now: () -> Duration
  private let dispatch: () -> Void

  /// Makes a timer that begins now, on the clock of the deadlines.
  init(
    after first: Duration, every: Duration?, now: @escaping () -> Duration,
    dispatch: @escaping () -> Void
  ) {
    next = now() + first
    self.every = every
    self.now = now
    self.dispatch = dispatch
  }

  /// The wait for the next run.
  var wait: Wait { .timer(max(.zero, next - now()), every: every) }

  func resume(with answer: WaitAnswer, at place: TaskPlace) throws -> EffectStep {
    dispatch()
    guard let every else { return .finished([]) }
    next += every
    let late = now() - next
    // Runs that were missed aren't made up for, and the later ones keep their times.
    if late >= .zero { next += every * ((late / every).rounded(.down) + 1) }
    return .waits(wait)
  }

  func cancel() throws {}
}

/// A schedule and its task, which may have ended.
struct ScheduledTask {
  let schedule: Schedule
  let task: TaskID
}

/// The timers of modules.
extension TaskScheduler {
  /// Starts a timer that dispatches an action on behalf of a registration.
  ///
  /// - Throws: ``Refused`` if the module has as many tasks as it may.
  func startTimer(
    _ action: Action, after first: Duration, every: Duration?, for registration: Registration,
    of module: Module
  ) throws(Refused) -> TaskID {
    guard let session, let deadlines else { throw Refused("the session is closed") }
    let bound = Bound(Effect(timer: registration), of: module)
    var action = action
    action.meta.note(
      id: session.work.actionID ?? 0, time: 0,
      cause: .module(module.name.text, registration.kind), parent: nil)
    let run = TimerRun(after: first, every: every, now: deadlines.now) { [weak session, action] in
      session?.intake.addNotingFailure(action, cause: action.meta.cause, by: bound)
    }
    let task = try makeTask(bound, on: action, run: run)
    hold(task, until: run.wait)
    return task.id
  }

  /// Makes the timers of a module's schedules run as the module in service declares them.
  ///
  /// Those that are as before keep their times.
  func renewSchedules(of module: Module) {
    var former = Dictionary(
      grouping: schedules[module.name] ?? [], by: \.schedule.action.type)
    schedules[module.name] = nil
    var current: [ScheduledTask] = []
    for schedule in module.schedules {
      let type = schedule.action.type
      if let same = former[type]?.firstIndex(where: { $0.schedule.isSame(as: schedule) }),
        let kept = former[type]?.remove(at: same)
      {
        current.append(kept)
      } else if let task = start(schedule, of: module) {
        current.append(ScheduledTask(schedule: schedule, task: task))
      }
    }
    for old in former.values.joined() {
      if let task = living[old.task] { end(task, .cancelled) }
    }
    if !current.isEmpty { schedules[module.name] = current }
    noteGeneration(of: module.name)
  }

  private func start(_ schedule: Schedule, of module: Module) -> TaskID? {
    let first = schedule.after ?? schedule.every ?? .zero
    do throws(Refused) {
      return try startTimer(
        schedule.action, after: first, every: schedule.every, for: schedule.registration,
        of: module)
    } catch {
      guard let caller = session?.caller else { return nil }
      let bound = Bound(schedule, of: module)
      caller.note(caller.fault(CodeFailure(.raised(error.text)), bound, schedule.action))
      return nil
    }
  }

  /// Notes the generation that the timers of a module belong to now.
  private func noteGeneration(of module: ModuleName) {
    let generation = session?.modules[module]?.generation ?? 0
    for task in living.values where task.effect.owner == module && task.isTimer {
      task.origin.generation = generation
    }
  }

  /// Forgets the schedules of a suspended module whose tasks are about to be cancelled, so that they
  /// start again when the module resumes.
  func forgetRunningSchedules(of module: ModuleName) {
    schedules[module]?.removeAll { living[$0.task] != nil }
  }
}

extension Session {
  /// Makes the timers of modules' schedules run as the modules in service declare them.
  package func renewSchedules(of modules: some Sequence<ModuleName>) {
    for name in modules {
      guard let module = self.modules[name]?.module, hasTasks || !module.schedules.isEmpty,
        !self.modules.suspension.modules.contains(name)
      else { continue }
      tasks.renewSchedules(of: module)
    }
  }
}
