package import MoonModules

/// The run of a timer: it dispatches an action once, or again and again.
///
/// It holds no code of its module, so that it can outlive a generation.
package final class TimerRun: EffectRun {
  private var next: Duration
  private let every: Duration?
  private let now: () -> Duration
  private let dispatch: () -> Void

  /// Makes a timer that begins now, on the clock of the deadlines.
  package init(
    after first: Duration, every: Duration?, now: @escaping () -> Duration,
    dispatch: @escaping () -> Void
  ) {
    next = now() + first
    self.every = every
    self.now = now
    self.dispatch = dispatch
  }

  package var isTimer: Bool { true }

  /// The wait for the next run.
  package var wait: Wait { .timer(max(.zero, next - now()), every: every) }

  package func shift(by time: Duration) { next += time }

  package func resume(with answer: WaitAnswer, at place: () -> TaskPlace) throws -> EffectStep {
    dispatch()
    guard let every else { return .finished([]) }
    next += every
    let late = now() - next
    // Runs that were missed aren't made up for, and the later ones keep their times.
    if late >= .zero { next += every * ((late / every).rounded(.down) + 1) }
    return .waits(wait)
  }

  package func cancel() throws {}
}

/// A schedule and its task, which may have ended.
package struct ScheduledTask {
  package let schedule: Schedule
  package let task: TaskID

  /// Pairs a schedule with its task.
  package init(schedule: Schedule, task: TaskID) {
    self.schedule = schedule
    self.task = task
  }
}
