/// The sessions of a host with queued actions, ready tasks or unreported faults that no dispatch is
/// about to take care of.
///
/// After work on one of many sessions, the host settles these only. Confined to the host.
package final class UnsettledSessions {
  private var sessions: [Int: Session] = [:]

  package init() {}

  /// Notes that something waits in a session.
  ///
  /// Returns false if the session is at work and will come to it.
  @discardableResult
  func note(_ session: Session) -> Bool {
    guard !session.work.isRunning else { return false }
    sessions[session.id.number] = session
    return true
  }

  /// Forgets a session that is closed.
  package func remove(_ id: SessionID) { sessions[id.number] = nil }

  /// Removes and returns the sessions, in the order in which they were opened.
  package func take() -> [Session] {
    guard !sessions.isEmpty else { return [] }
    defer { sessions = [:] }
    return sessions.sorted { $0.key < $1.key }.map(\.value)
  }
}
