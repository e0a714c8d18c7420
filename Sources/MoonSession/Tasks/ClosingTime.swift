import MoonModules
import MoonServiceKit
import MoonTasks

/// The time that the cleanup of a module's tasks takes when they end together, at most that of one
/// action.
struct ClosingTime {
  private let session: Session?
  private let budget: Int64
  /// In nanoseconds; the maximum once it was reported that there is no more.
  private var times: [ModuleName: Int64] = [:]

  init(in session: Session?) {
    self.session = session
    budget = session?.environment.actionBudget ?? 0
  }

  /// Returns whether the module of a task may still run its cleanup; reports once that it may not.
  mutating func isLeft(for task: EffectTask) -> Bool {
    let owner = task.effect.owner
    let used = times[owner, default: 0]
    guard let session, task.run != nil, budget > 0, used >= budget else { return true }
    if used != .max {
      let failure = CodeFailure(.actionTimeSpent(milliseconds: Int(budget / 1_000_000)))
      session.caller.note(session.caller.fault(failure, task.effect, task.action))
      times[owner] = .max
    }
    return false
  }

  /// Measures the cleanup of a task.
  mutating func measure(_ task: EffectTask, _ body: () -> Void) {
    let begin = now
    body()
    let owner = task.effect.owner
    guard times[owner] != .max else { return }
    times[owner, default: 0] += now - begin
  }

  private var now: Int64 {
    session.map { $0.current.nanoseconds(on: $0.environment.budgetClock) } ?? 0
  }
}
