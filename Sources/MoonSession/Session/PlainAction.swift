import MoonStore
import MoonValues

/// The path of a plain action: a single reducer receives it, its owner's, and then only observers
/// may be called.
///
/// Most actions are plain. Nothing that a ``Transaction`` keeps can happen to one: no stage
/// replaces it, no failure undoes a part of its changes, and no stage after the commit asks what
/// was reduced. So none is made, and the slice is replaced in place, which takes 700 instructions
/// less with a single module, a twelfth of a small dispatch. What happens is what ``Pipeline``
/// would do; `PlainActionTests` compares the two.
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
      let reducer = listeners.plainReducer,
      let (place, old) = session.slices.state.entry(forKey: reducer.slice)
    else { return false }
    var slice = old
    do throws(Fault) {
      try session.caller.reduce(&slice, with: reducer, on: action)
    } catch {
      throw .fault(error)
    }
    session.work.calls.end()
    if session.history.timeline.takesSteps {
      session.history.timeline.noteBeginning(with: session.state)
    }
    let hasChanged = !slice.isIdentical(to: old)
    let before = { session.slices.state.replacing(place, with: old) }
    if hasChanged {
      session.slices.replace(old, at: place, by: slice)
      CommitStage(session: session).tellReaders(since: before(), by: action)
    }
    session.history.record(
      plain: action, bytes: bytes, to: session.state, hasChanged: hasChanged)
    if hasChanged {
      ObserverStage(session: session).tell(
        from: old, to: slice, since: before, action, listeners.observers)
    }
    if session.taskMarks.areWaiting {
      announce(action, listeners, since: hasChanged ? before() : session.state)
    }
    return true
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
