import MoonModules
import MoonNavigation

/// The moment at which a session stood still, to return to after a change in the latest state.
package struct ShownMoment {
  fileprivate let position: Int
  fileprivate let isLocked: Bool
  fileprivate let control: Screen?
}

extension SessionTimeline {
  /// Returns to the latest state; nil if it is shown already, without a window over it.
  package func leaveMoment() -> ShownMoment? {
    let timeline = session.timeTravel.timeline
    let control = session.timeTravel.window?.screen
    guard timeline.isPast || control != nil, !session.current.isRunning else { return nil }
    let moment = ShownMoment(
      position: timeline.position, isLocked: timeline.isLocked, control: control)
    returnToPresent()
    return moment
  }

  /// Shows a moment again, unless the timeline was restarted and ends before it.
  package func returnTo(_ moment: ShownMoment) {
    do throws(TimelineError) {
      if let control = moment.control {
        _ = try carryOut(.open(control))
      } else if moment.isLocked {
        _ = try carryOut(.lock(true))
      }
      if moment.position < current.count {
        _ = try travel(to: .position(moment.position))
      }
    } catch {
      // The latest state is shown then.
    }
  }
}
