import MoonStore
import MoonValues

/// The path of a plain action: a single reducer receives it, its owner's, and then only observers
/// may be called.
///
/// Most actions are plain. Nothing that a ``Transaction`` keeps can happen to one: no stage
/// replaces it, no failure undoes a part of its changes, and no stage after the commit asks what
/// was reduced. So none is made, which takes 700 instructions less with a single module, and the
/// slice is lent to the reducer where nothing else holds the state; see ``FormerSlices``. What
/// happens is what ``Pipeline`` would do; `PlainActionTests` compares the two.
struct PlainAction {
  let session: Session

  /// Takes an action through its stages; returns false and does nothing if something keeps or
  /// measures what actions do, or if there is no slice yet.
  ///
  /// - Throws: ``DispatchError`` if the reducer fails. Nothing has changed then.
  func carryOut(
    _ action: Action, _ listeners: Listeners, bytes: Int
  ) throws(DispatchError) -> Bool {
    guard session.history.recording == nil, session.history.copies.isEmpty,
      session.work.clock.trace == nil, !session.work.isSilent,
      let reducer = listeners.plainReducer
    else { return false }
    var isLent = false
    var failure: (any Error)?
    reducer._withUnsafeGuaranteedRef { reducer in
      guard reducer.part.canBorrow, session.slices.lend(reducer.slice, to: &session.lent)
      else { return }
      isLent = true
      do {
        try session.caller.reduceUncaught(&session.lent, with: reducer, on: action)
      } catch {
        failure = error
      }
    }
    guard isLent else {
      return try reduceCopy(action, listeners, reducer.takeUnretainedValue(), bytes: bytes)
    }
    session.slices.giveBack(&session.lent)
    if let failure {
      // The slice is back, since making a fault reads it.
      throw .fault(session.caller.fault(failure, reducer.takeUnretainedValue(), action))
    }
    if session.history.timeline.takesSteps {
      // Seldom: a timeline that has taken a step holds the state.
      session.history.timeline.noteBeginning(
        with: session.lent.change.slices(session.slices.state, session.lent.place))
    }
    finish(action, listeners, session.lent.change, at: session.lent.place, bytes: bytes)
    session.lent.change.clear()
    return true
  }

  /// Carries out the action while something else holds the state.
  @inline(never)
  private func reduceCopy(
    _ action: Action, _ listeners: Listeners, _ reducer: Bound<Reducer>, bytes: Int
  ) throws(DispatchError) -> Bool {
    guard let (place, former) = session.slices.state.entry(forKey: reducer.slice)
    else { return false }
    var slice = LentValue(former, at: place)
    do throws(Fault) {
      try session.caller.reduce(&slice, with: reducer, on: action)
    } catch {
      throw .fault(error)
    }
    if session.history.timeline.takesSteps {
      session.history.timeline.noteBeginning(with: session.state)
    }
    session.slices.replace(slice)
    finish(action, listeners, slice.change, at: place, bytes: bytes)
    return true
  }

  /// Notes and tells what has happened to the slice at a place.
  @inline(__always)
  private func finish(
    _ action: Action, _ listeners: Listeners, _ change: borrowing LentValue.Change,
    at place: Map.Index, bytes: Int
  ) {
    session.work.calls.end()
    if !change.isNone {
      CommitStage(session: session).tellReaders(
        since: change.slices(session.slices.state, place), by: action)
    }
    session.history.record(
      plain: action, bytes: bytes, to: session.state, hasChanged: !change.isNone)
    if !change.isNone {
      ObserverStage(session: session).tell(of: change, at: place, action, listeners.observers)
    }
    if session.taskMarks.areWaiting {
      announce(action, listeners, since: change.slices(session.slices.state, place))
    }
  }

  /// Tells the tasks that wait for an action or for a change of the state.
  @inline(never)
  private func announce(_ action: Action, _ listeners: Listeners, since before: Map) {
    var transaction = Transaction(action, listeners, bytes: 0, state: before)
    transaction.state = session.state
    transaction.note(action, listeners)
    CommitStage(session: session).announce(transaction)
  }
}
