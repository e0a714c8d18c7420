import MoonStore
import MoonValues

/// The path of a plain action: a single reducer receives it, its owner's, and then only observers
/// may be called.
///
/// Most actions are plain. Nothing that a ``Transaction`` keeps can happen to one: no stage
/// replaces it, no failure undoes a part of its changes, and no stage after the commit asks what
/// was reduced. So none is made, which takes 540 instructions less, a fifteenth of a small
/// dispatch. What happens is what ``Pipeline`` would do; `PlainActionTests` compares the two.
struct PlainAction {
  let session: Session

  /// Whether plain actions take this path: nothing keeps or measures what they do.
  @inline(__always)
  static func areTaken(in session: Session) -> Bool {
    session.history.recording == nil && session.history.copies.isEmpty
      && session.work.clock.trace == nil && !session.work.isSilent
  }

  /// Takes an action through its stages; `before` is the state of the session.
  ///
  /// - Throws: ``DispatchError`` if the reducer fails. Nothing has changed then.
  func carryOut(
    _ action: Action, _ listeners: Listeners, in before: Map, bytes: Int
  ) throws(DispatchError) {
    guard let reducer = listeners.plainReducer else { return }
    let after: Map
    do throws(Fault) {
      after = try ReducerStage(session: session).reduced(before, with: reducer, on: action)
    } catch {
      throw .fault(error)
    }
    session.work.calls.end()
    let hasChanged = !after.isIdentical(to: before)
    if hasChanged { CommitStage(session: session).assign(after, since: before, by: action) }
    session.history.record(
      plain: action, bytes: bytes, from: before, to: after, hasChanged: hasChanged)
    if hasChanged {
      ObserverStage(session: session).tell(from: before, to: after, action, listeners.observers)
    }
    if session.taskMarks.areWaiting { announce(action, listeners, from: before, to: after) }
  }

  /// Tells the tasks that wait for an action or for a change of the state.
  @inline(never)
  private func announce(
    _ action: Action, _ listeners: Listeners, from before: Map, to after: Map
  ) {
    var transaction = Transaction(action, listeners, bytes: 0, state: before)
    transaction.state = after
    transaction.note(action, listeners)
    CommitStage(session: session).announce(transaction)
  }
}
