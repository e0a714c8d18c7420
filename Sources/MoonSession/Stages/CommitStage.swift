import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// Stage 4: assigns the new state, records the commit and notifies listeners.
struct CommitStage {
  let session: Session

  /// Commits a transaction.
  ///
  /// - Throws: ``DispatchError`` if the queued actions or the navigation can't be accepted. Nothing
  ///   has changed then.
  func commit(_ transaction: inout Transaction) throws(DispatchError) {
    session.current.calls.end()
    if !transaction.isPlain || !transaction.listeners.wholeStateReducers.isEmpty
      || session.current.calls.haveLimits
    {
      try check(&transaction)
    }
    let hasChanged = transaction.hasChanged
    if hasChanged {
      if let slices = transaction.ownSlices { session.slices.replaceAll(by: slices) }
      tellReaders(since: transaction.before, by: transaction.taken)
    }
    session.timeTravel.timeline.record(TimelineStep(transaction), since: transaction.before)
    session.history.record(
      transaction, hasChanged: hasChanged, stopped: session.current.stoppedInCommit)
    if !session.recorders.isEmpty { record(Commit(transaction)) }
    tell(transaction, hasChanged)
  }

  private func record(_ commit: Commit) {
    session.recorders.record(commit)
    session.durable?.noteCommit(commit.actions)
  }

  private func check(_ transaction: inout Transaction) throws(DispatchError) {
    if session.current.calls.haveNotes,
      session.timeTravel.timeline.takesSteps || !session.recorders.isEmpty
    {
      transaction.notes = session.current.calls.notes
    }
    // No other reducers reach the slice of the navigation.
    if transaction.reduced.traits.contains(.wholeStateReducers) {
      try NavigationStage(session: session).checkState(of: &transaction)
    }
    guard !transaction.mapped.isEmpty else { return }
    // All or none, since queued actions stay queued even if the action fails.
    if let owner = transaction.listeners.owner {
      let own = transaction.mapped.filter { $0.mapper?.owner == owner }
      try session.intake.checkRoom(for: own.map(\.action), of: owner)
    }
    for mapped in transaction.mapped {
      guard let mapper = mapped.mapper else { continue }
      session.current.turn(to: mapped.parentID)
      session.intake.addNotingFailure(
        mapped.action, cause: .module(mapper.owner.text, .moduleMapper), isMapped: true,
        by: mapper)
      mapped.id = session.lastID
    }
  }

  /// Tells presenters and readers outside that an action has changed the state.
  private func tellReaders(since before: @autoclosure () -> Map, by action: Action) {
    if !session.screens.presented.isEmpty { takeForRead(since: before(), by: action) }
    session.readers.tell(session.stateValue)
  }

  /// Counts the changes that a presenter has dispatched as read by presenters.
  private func takeForRead(since before: @autoclosure () -> Map, by action: Action) {
    guard case .module(_, .presenter) = action.cause else { return }
    session.screens.presented.take(from: before(), to: session.state)
  }

  private func tell(_ transaction: borrowing Transaction, _ hasChanged: Bool) {
    if session.current.isSilent {
      session.current.clock.trace?.note(transaction)
      return
    }
    // What observers dispatch follows from the first action of several.
    if !transaction.isPlain { session.current.turn(to: transaction.taken.id) }
    if hasChanged {
      ObserverStage(session: session).tell(of: transaction)
    }
    if transaction.isPlain, transaction.listeners.answers.isEmpty, !session.taskState.areWaiting {
      return
    }
    announce(transaction)
  }

  /// Calls everything that responds to the commit, except observers.
  private func announce(_ transaction: borrowing Transaction) {
    if let navigation = transaction.navigation {
      if !navigation.waiting.isEmpty { session.current.waiting += navigation.waiting }
      if !session.navigation.waiting.isEmpty {
        GuardWaits(session: session).replaceWaiting(by: navigation.routed)
      }
      CompletionStage(session: session).tell(of: navigation)
    }
    if session.taskState.areWaiting || transaction.reduced.traits.contains(.answers) {
      respond(to: transaction.reduced, in: transaction)
    }
  }

  private func respond(to all: ReducedActions, in transaction: borrowing Transaction) {
    let stage = NavigationMapperStage(session: session)
    for reduced in all where !reduced.listeners.answers.navigationMappers.isEmpty {
      session.current.turn(to: reduced.action.id)
      stage.map(reduced.action, reduced.listeners)
    }
    AfterReduceStage(session: session).tell(of: all, in: transaction)
    EffectStage(session: session).start(all, of: transaction)
  }
}

extension TimelineStep {
  /// Makes the step of a transaction.
  fileprivate init(_ transaction: borrowing Transaction) {
    self.init(
      transaction.taken, with: transaction.arrival?.others ?? [],
      isMapped: transaction.arrival?.isMapped ?? false, noting: transaction.notes,
      to: transaction.state)
  }
}
