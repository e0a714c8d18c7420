public import MoonNavigation
public import MoonStore
public import MoonValues

/// An action that goes through the timeline instead of changing the state.
///
/// It is taken while the session stands still, too. It is never committed: it is no step of the
/// timeline, and neither reducers nor recordings get it. If an action is being carried out, it
/// waits until all that follows from that is done.
public struct TimelineControl: Registrable {
  /// A function that returns what to do, in order; what comes after a move that fails isn't done.
  public typealias Body = (_ action: Action, _ timeline: Timeline) throws -> [TimelineMove]

  /// The type of the action, which the module declares.
  public let type: Text
  /// The kind, name and place of the registration.
  public let registration: Registration
  let body: Body

  /// Makes a control.
  public init(_ type: Text, place: SourcePlace? = nil, _ body: @escaping Body) {
    self.type = type
    registration = Registration(.timelineControl, type.string, place: place)
    self.body = body
  }
}

/// Something that a control does with the timeline.
public enum TimelineMove: Sendable, Equatable {
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
