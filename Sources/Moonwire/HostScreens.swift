package import MoonActions
package import MoonModules
import MoonNavigation
package import MoonSession
package import MoonValues

/// Showing and using screens.
extension Host {
  /// Returns the screen with an id, or the one on top of the key window; nil if there is none.
  ///
  /// It calls the screen's view, whose failure is part of the result.
  package func shownScreen(_ screen: Text? = nil, in id: SessionID) -> ShownScreen? {
    defer { sessions.restartKilled() }
    return session(id).flatMap { ScreenPresentation(session: $0).shown(screen) }
  }

  /// Announces from now on when the drawing of the screen on top has changed, as
  /// ``HostEvent/screenChanged(_:_:)``.
  ///
  /// Actions, reloads and people who use the screen can change it, and so can the state of other
  /// modules that its view reads. The view is called once after a series of calls of the host.
  /// Without this, nothing is drawn unless it is requested. After three failed drawings in a row,
  /// nothing is drawn until modules change.
  package func watchScreen(of id: SessionID) { _ = session(id).map(sessions.watch.add) }

  /// Fills in inputs of the screen on top, or none of them if one text is refused; an empty text
  /// clears an input.
  ///
  /// The texts stay until a control has submitted them. A change performs the input's own action.
  ///
  /// - Returns: The outcomes of the actions of inputs that have changed.
  /// - Throws: ``ScreenError``
  @discardableResult package func fill(
    _ texts: [(input: String, text: String)], in id: SessionID, seen: SeenScreen = SeenScreen()
  ) throws(ScreenError) -> [Outcome] {
    guard let session = session(id) else { throw .dispatch(.noSession) }
    defer { sessions.finishCalls() }
    return try ScreenInteraction(session: session, seen: seen).fill(texts)
  }

  /// Performs the action of a control of the screen on top: routes, dispatches, shows or hides.
  ///
  /// - Throws: ``ScreenError``
  @discardableResult package func use(
    _ control: ScreenControl, in id: SessionID, seen: SeenScreen = SeenScreen()
  ) throws(ScreenError) -> Outcome {
    guard let session = session(id) else { throw .dispatch(.noSession) }
    defer { sessions.finishCalls() }
    return try ScreenInteraction(session: session, seen: seen).use(control)
  }

  /// Goes one step back: pops, or else dismisses.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if there is nothing to go back to.
  @discardableResult
  package func back(in id: SessionID, cause: Cause = .native) throws(DispatchError) -> Outcome {
    try navigate(NavigationAction(.back, origin: .user), in: id, cause: cause)
  }
}

extension SessionID {
  /// Ends what ``Host/watchScreen(of:)`` has begun.
  package func endScreenWatch(on host: isolated Host) { host.sessions.watch.remove(self) }

  /// Tells views of the room for a screen, on the terminal that shows the session.
  package func resizeScreens(to size: ScreenSize, on host: isolated Host) {
    defer { host.sessions.finishCalls() }
    host.session(self).map { ScreenPresentation(session: $0).resize(to: size) }
  }

  /// Brings a row of a list of the screen on top into sight, counted from 1; the nearest one if
  /// there is none.
  ///
  /// - Throws: ``ScreenError``
  package func scroll(
    list: String, to row: Int, seen: SeenScreen = SeenScreen(), on host: isolated Host
  ) throws(ScreenError) {
    guard let session = host.session(self) else { throw .dispatch(.noSession) }
    defer { host.sessions.finishCalls() }
    try ScreenInteraction(session: session, seen: seen).scroll(list: list, to: row)
  }
}
