package import MoonModules
import MoonValues

/// The timeline of a session, and what shows an earlier state of it.
package struct TimeTravel {
  /// The states that the session can go back to.
  package var timeline: Timeline
  /// What is held back while the session stands still; nil if it doesn't.
  var standstill: Standstill?
  /// The window of the timeline's control; nil if it isn't open.
  var window: ControlWindow?
  /// The actions that control the timeline once the session is idle.
  var controls: [WaitingControl] = []

  init(limits: Timeline.Limits) { timeline = Timeline(limits: limits) }

  /// The latest slices if others are shown.
  var latestSlices: Map? { timeline.isPast || window != nil ? timeline.latest : nil }
}
