import MoonModules

/// Stage 9: starts effects, and resumes the tasks that wait for an action or a change.
struct EffectStage {
  let session: Session

  /// Starts the effects of all actions that a transaction reduced.
  func start(_ reduced: ReducedActions, of transaction: borrowing Transaction) {
    // In a replay too, so that requests are as they were when the session goes on.
    for one in reduced where one.listeners.answers.turnsRequests {
      session.taskState.requestSwitch.turn(by: one.action) { session.modules[$0] != nil }
    }
    guard session.current.startsEffects else { return }
    if session.taskState.areWaiting {
      session.tasks.tell(of: reduced.map(\.action), transaction.before, session.slices.state)
    }
    if let durable = session.durable { begin(reduced, durable) }
    for one in reduced {
      for effect in one.listeners.answers.effects { session.tasks.start(effect, on: one.action) }
    }
  }

  /// Notes the beginnings of durable effects with the commit, before any code runs.
  private func begin(_ reduced: ReducedActions, _ durable: DurableTasks) {
    for one in reduced {
      for effect in one.listeners.answers.effects where effect.part.durability != nil {
        durable.begin(effect, on: one.action)
      }
    }
  }
}
