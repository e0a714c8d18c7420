import MoonModules
import MoonTasks

/// The spans of tasks' runs, if a program measures them.
extension EffectTask {
  /// Begins the span of the run, unless it has begun; returns the span that its code runs in.
  ///
  /// Timers, and the waits of functions in Swift, have no code of a module to measure.
  func enterSpan(in session: Session) -> OpenSpan? {
    if !isReplaying, !isTimer, !(run is SwiftWait) {
      origin.spans?.begin(
        .task(id, effect.registration, of: effect.owner, in: session.id))
    }
    return origin.spans?.innermost
  }

  /// Notes that the task has ended.
  func noteEnd(_ ending: Ending) {
    standing = .ended
    origin.spans?.end(TelemetryResult(ending))
  }
}

extension TelemetryResult {
  /// Makes the result of a task.
  init(_ ending: EffectTask.Ending) {
    switch ending {
    case .finished: self = .done
    case .failed(let fault): self.init(fault)
    case .cancelled: self = .cancelled
    }
  }
}
