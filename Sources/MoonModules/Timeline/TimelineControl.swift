package import MoonActions
package import MoonNavigation
package import MoonValues

/// Actions that go through the timeline instead of changing the state.
///
/// They are taken while the session stands still, too. They are never committed: they are no steps
/// of the timeline, and neither reducers nor recordings get them. If an action is being carried
/// out, they wait until all that follows from that is done.
package struct TimelineControl: Registrable {
  /// A function that returns what to do, in order; what comes after a failed move isn't done.
  package typealias Body = (_ action: Action, _ timeline: Timeline) throws -> [TimelineMove]

  /// The types of the actions, which the module declares.
  package let types: [Text]
  /// The kind, name and place of the registration.
  package let registration: Registration
  package let body: Body

  /// Makes a control of the actions of some types.
  package init(_ types: [Text], place: SourcePlace? = nil, _ body: @escaping Body) {
    self.types = types
    registration = Registration(
      .timelineControl, RegistrationKind.timelineControl.rawValue, place: place)
    self.body = body
  }
}

/// Something that a control does with the timeline.
package enum TimelineMove: Sendable, Equatable {
  /// Shows the state at a place.
  case travel(TimelinePlace)
  /// Changes the timeline.
  case edit(TimelineEdit)
  /// Takes back the last action from outside the modules.
  case undo
  /// Shows a screen in a window of its own, over whatever state is shown, and holds the session
  /// still until ``close``.
  ///
  /// The window isn't part of the states of the timeline. The host puts ``Timeline/summary`` into
  /// the screen's props whenever another state is shown.
  case open(Screen)
  /// Returns to the latest state, removes the window, and lets the session go on.
  case close
}
