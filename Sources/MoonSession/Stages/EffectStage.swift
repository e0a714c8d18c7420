import MoonStore

/// Stage 7: effects start, and tasks that have waited for an action or a change learn of it.
struct EffectStage {
  let session: Session

  /// Starts what was committed.
  func start(_ transaction: borrowing Transaction) {
    let reduced = transaction.reduced
    if session.isListenedTo {
      session.tasks.tell(of: reduced.map(\.action), transaction.before, session.slices.state)
    }
    for one in reduced {
      for effect in one.listeners.answers.effects { session.tasks.start(effect, on: one.action) }
    }
  }
}
