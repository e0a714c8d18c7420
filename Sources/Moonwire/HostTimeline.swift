package import MoonActions
package import MoonModules
import MoonSession

/// Going through the states of a session.
///
/// While an earlier state is shown, the session stands still: actions are refused with
/// ``DispatchError/paused(position:count:)``, no task resumes, deadlines don't pass, and a journal
/// gets nothing. Observers and streams of states get the shown state, and what they dispatch is
/// dropped. The session goes on when it is back at the latest state, or from an earlier one after
/// ``TimelineEdit/cut``. What has changed in the navigation is then announced to the modules, with
/// the origin `timeline`.
extension Host {
  /// Returns the timeline of a session; nil if there is no such session.
  package func timeline(of id: SessionID) -> Timeline? {
    session(id).map { SessionTimeline(of: $0).current }
  }

  /// Returns the approximate memory in bytes that the steps of a session's timeline take.
  ///
  /// - Complexity: O(steps), and for those that weren't measured O(what they changed).
  package func timelineByteCount(of id: SessionID) -> Int {
    session(id)?.timeTravel.timeline.byteCount() ?? 0
  }

  /// Shows the state of a session at a place in its timeline.
  ///
  /// The outcome has the states and the navigation before and after.
  ///
  /// - Throws: ``TimelineError``; the same state is then shown as before.
  @discardableResult
  package func travel(to place: TimelinePlace, in id: SessionID) throws(TimelineError) -> Outcome {
    try sessions.change(timelineOf: id) { timeline throws(TimelineError) in
      try timeline.travel(to: place)
    }
  }

  /// Changes the timeline of a session.
  ///
  /// Actions that are carried out again have their recorded ids, times and causes. Nothing follows
  /// from them. A journal gets the new state as a change outside of any action.
  ///
  /// - Throws: ``TimelineError``; nothing has changed then.
  @discardableResult
  package func carryOut(_ edit: TimelineEdit, in id: SessionID) throws(TimelineError) -> Outcome {
    try sessions.change(timelineOf: id) { timeline throws(TimelineError) in
      try timeline.carryOut(edit)
    }
  }

  /// Takes back the last action that neither a module nor the host dispatched, with all later ones.
  ///
  /// Tasks that these actions began are cancelled.
  ///
  /// - Throws: ``TimelineError``; nothing has changed then.
  @discardableResult
  package func undo(in id: SessionID) throws(TimelineError) -> Outcome {
    try sessions.change(timelineOf: id) { timeline throws(TimelineError) in try timeline.undo() }
  }
}
