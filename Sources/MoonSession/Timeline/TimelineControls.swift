import MoonStore
import MoonValues

/// The carrying out of actions that control the timeline.
struct TimelineControls {
  /// The maximum number of such actions that wait for the session's present work.
  static let waitingMax = 100

  let session: Session

  /// An action that waits.
  struct Waiting {
    let action: Action
    let control: Bound<TimelineControl>
  }

  /// Carries an action out.
  ///
  /// - Throws: ``DispatchError``.
  func carryOut(
    _ action: Action, _ control: Bound<TimelineControl>, cause: Cause?
  ) throws(DispatchError) -> Outcome {
    _ = try session.listeners(to: action, cause: cause)
    let before = session.stateValue
    let tree = session.navigationTree
    let timeline = SessionTimeline(of: session)
    let moves: [TimelineMove]
    do throws(Fault) {
      moves = try session.caller.call(control, on: action) { () in
        try control.part.body(action, timeline.current)
      }
    } catch {
      throw .fault(error)
    }
    var last: Outcome?
    do throws(TimelineError) {
      for move in moves { last = try timeline.carryOut(move) }
    } catch {
      throw .timeline(error)
    }
    return Outcome(
      id: 0, before: before, after: session.stateValue, followingCount: last?.followingCount ?? 0,
      records: last.since(tree, to: session.navigationTree))
  }

  /// Notes an action that can't be carried out before the session's present work is done.
  ///
  /// - Throws: ``DispatchError/queueFull(max:)``.
  func wait(_ action: Action, _ control: Bound<TimelineControl>) throws(DispatchError) {
    // What it led to was recorded as well.
    guard !session.work.isReplay else { return }
    guard session.history.controls.count < Self.waitingMax else {
      throw .queueFull(max: Self.waitingMax)
    }
    session.history.controls.append(Waiting(action: action, control: control))
  }

  /// Carries out the actions that waited; returns the outcome of the work with what they did.
  func carryOutWaiting(after outcome: Outcome) -> Outcome {
    let tree = outcome.navigation?.before ?? session.navigationTree
    var last: Outcome? = outcome
    let waiting = session.history.controls
    session.history.controls = []
    for one in waiting {
      do throws(DispatchError) {
        last = try carryOut(one.action, one.control, cause: nil)
      } catch {
        session.fail(one.action, error)
      }
    }
    return Outcome(
      id: outcome.id, before: outcome.before, after: session.stateValue,
      followingCount: outcome.followingCount,
      records: last.since(tree, to: session.navigationTree))
  }
}

extension Session {
  /// Returns the control of the timeline that takes an action; nil if none does.
  @inline(__always)
  func timelineControl(of action: borrowing Action) -> Bound<TimelineControl>? {
    modules.hasTimelineControls ? modules.registry.timelineControls[action.type] : nil
  }
}

extension HistoryRing {
  /// The latest slices if others are shown.
  var latestSlices: Map? {
    timeline.isPast || controlWindow != nil ? timeline.latest : nil
  }
}
