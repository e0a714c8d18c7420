import MoonStore
import MoonValues

/// Stage 4: the new state is assigned, the commit recorded, and everybody told.
struct CommitStage {
  let session: Session

  /// Commits a transaction.
  ///
  /// - Throws: ``DispatchError`` if what it wants can't be had; nothing has changed then.
  func commit(_ transaction: inout Transaction) throws(DispatchError) {
    try check(&transaction)
    let hasChanged = assign(transaction)
    record(transaction, hasChanged)
    tell(transaction, hasChanged)
  }

  private func check(_ transaction: inout Transaction) throws(DispatchError) {
    let listeners = transaction.first?.listeners
    if listeners?.wholeStateReducers.isEmpty == false || !transaction.others.isEmpty {
      try NavigationStage(session: session).checkState(of: &transaction)
    }
    guard !transaction.mapped.isEmpty else { return }
    // All or none: what is queued stays there even if the action fails.
    try session.checkRoom(for: transaction.mapped.map(\.action))
    for one in transaction.mapped {
      try session.enqueue(one.action, cause: one.cause, isMapped: true)
    }
  }

  private func assign(_ transaction: Transaction) -> Bool {
    guard !transaction.state.isIdentical(to: transaction.before) else { return false }
    session.slices.state = transaction.state
    return true
  }

  private func record(_ transaction: Transaction, _ hasChanged: Bool) {
    session.history.record(Commit(transaction, hasChanged: hasChanged))
  }

  private func tell(_ transaction: Transaction, _ hasChanged: Bool) {
    if hasChanged {
      ObserverStage(session: session).tell(
        of: transaction.before, transaction.taken, transaction.observers)
    }
    if let navigation = transaction.navigation {
      CompletionStage(session: session).tell(of: navigation)
    }
    let stage = NavigationMapperStage(session: session)
    if let first = transaction.first { stage.map(first.action, first.listeners) }
    for other in transaction.others { stage.map(other.action, other.listeners) }
  }
}
