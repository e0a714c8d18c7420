import MoonNavigation
public import MoonSession
import MoonStore
public import MoonValues

/// What people see, and what they do to it.
extension Host {
  /// The screen with that id, or on top of the key window, as it looks now; nil if there is none.
  ///
  /// Calls its view. What fails is in the answer, and is no fault of whoever asks.
  public func shownScreen(_ screen: Text? = nil, in id: SessionID) -> ShownScreen? {
    defer { restartKilled() }
    return session(id).flatMap { ScreenPresentation(session: $0).shown(screen) }
  }

  /// Types something into an input of the screen on top; empty text empties it.
  ///
  /// It stays there until the screen goes; controls hand it over.
  ///
  /// - Throws: ``ScreenError``
  public func fill(_ input: String, with text: String, in id: SessionID) throws(ScreenError) {
    try fill([(input, text)], in: id)
  }

  /// Types into several inputs of the screen on top, or into none if one can't be filled so.
  ///
  /// - Throws: ``ScreenError``
  public func fill(
    _ texts: [(input: String, text: String)], in id: SessionID
  ) throws(ScreenError) {
    guard let session = session(id) else { throw .dispatch(.noSession) }
    defer { restartKilled() }
    try ScreenInteraction(session: session).fill(texts)
  }

  /// Does what a control of the screen on top stands for: routes, dispatches, shows or hides.
  ///
  /// - Throws: ``ScreenError``
  @discardableResult
  public func use(_ control: ScreenControl, in id: SessionID) throws(ScreenError) -> Outcome {
    guard let session = session(id) else { throw .dispatch(.noSession) }
    defer { restartKilled() }
    return try ScreenInteraction(session: session).use(control)
  }

  /// Goes one step back, as a person does: pops, or else dismisses.
  ///
  /// - Throws: ``DispatchError/navigation(_:)`` if there is nothing behind.
  @discardableResult
  public func back(in id: SessionID, cause: Cause = .native) throws(DispatchError) -> Outcome {
    try navigate(NavigationAction(.back, origin: .user), in: id, cause: cause)
  }
}
