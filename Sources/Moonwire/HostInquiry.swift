public import MoonActions
public import MoonModules
public import MoonSession

extension ActionChain {
  /// Finds out why an action came, what it did, and what it led to.
  ///
  /// - Throws: ``TimelineError/noStep(_:)`` if the history of the session has no such action.
  /// - Complexity: O(actions in the history), and what carrying out the action takes.
  public init(
    of id: Int64, in session: SessionID, on host: isolated Host
  ) throws(TimelineError) {
    guard let session = host.session(session) else { throw .noSession }
    defer { host.sessions.finishCalls() }
    self = try SessionTimeline(of: session).chain(of: id)
  }
}
