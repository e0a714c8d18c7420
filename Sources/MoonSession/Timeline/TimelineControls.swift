import MoonActions
import MoonModules
import MoonValues

/// Carries out actions that control the timeline.
struct TimelineControls {
  /// The maximum number of such actions that wait for the session's present work.
  static let waitingMax = 100

  let session: Session

  /// Carries out a dispatched action if it controls the timeline; nil if it doesn't.
  ///
  /// - Throws: ``DispatchError``.
  static func outcome(
    of action: borrowing Action, with others: [Action]?, _ cause: Cause, in session: Session
  ) throws(DispatchError) -> Outcome? {
    guard others == nil, let control = session.modules.controls.ofTimeline(action) else {
      return nil
    }
    return try TimelineControls(session: session).carryOut(copy action, control, cause: cause)
  }

  /// Lets an action wait if it controls the timeline; returns whether it does.
  ///
  /// - Throws: ``DispatchError/queueFull(max:)``.
  func defers(_ action: Action) throws(DispatchError) -> Bool {
    guard let control = session.modules.controls.ofTimeline(action) else { return false }
    try wait(action, control)
    return true
  }

  /// Carries an action out.
  ///
  /// - Throws: ``DispatchError``.
  private func carryOut(
    _ action: Action, _ control: Bound<TimelineControl>, cause: Cause?
  ) throws(DispatchError) -> Outcome {
    _ = try session.listeners(to: action, cause: cause)
    let before = session.state
    let tree = session.navigationTree
    let timeline = SessionTimeline(of: session)
    let moves: [TimelineMove]
    do throws(Fault) {
      moves = try session.caller.call(control, on: action) { () in
        try control.part.body(action, timeline.current)
      }
    } catch {
      throw DispatchError(error)
    }
    var last: Outcome?
    do throws(TimelineError) {
      for move in moves { last = try timeline.carryOut(move) }
    } catch {
      throw .timeline(error)
    }
    return Outcome(
      id: 0, before: before, after: session.state, followingCount: last?.followingCount ?? 0,
      records: last.since(tree, to: session.navigationTree))
  }

  /// Notes an action that can't be carried out before the session's present work is done.
  ///
  /// - Throws: ``DispatchError/queueFull(max:)``.
  private func wait(_ action: Action, _ control: Bound<TimelineControl>) throws(DispatchError) {
    // What it led to was recorded, too.
    guard !session.current.isReplay else { return }
    guard session.timeTravel.controls.count < Self.waitingMax else {
      throw .queueFull(max: Self.waitingMax)
    }
    session.timeTravel.controls.append(WaitingControl(action: action, control: control))
  }

  /// Ends the session's work, and carries out the actions that waited for it; returns its outcome
  /// with what they did.
  func finish(_ outcome: Outcome) -> Outcome {
    session.current.end()
    let tree = outcome.navigation?.before ?? session.navigationTree
    var last: Outcome? = outcome
    let waiting = session.timeTravel.controls
    session.timeTravel.controls = []
    for one in waiting {
      do throws(DispatchError) {
        last = try carryOut(one.action, one.control, cause: nil)
      } catch {
        session.fail(one.action, error)
      }
    }
    return Outcome(
      id: outcome.id, before: outcome.slicesBefore, after: session.state,
      followingCount: outcome.followingCount,
      records: last.since(tree, to: session.navigationTree))
  }
}
