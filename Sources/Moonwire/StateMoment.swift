package import MoonActions
import MoonSession
package import MoonValues

/// The state of a session at one moment.
package struct StateMoment: Sendable {
  /// The number of the last action that the session had taken in; 0 before the first.
  package let commit: Int64
  /// The whole state.
  package let state: Value

  /// Reads the state of a session; nil if there is no such session.
  package init?(of id: SessionID, on host: isolated Host) {
    guard let session = host.session(id) else { return nil }
    commit = session.lastID
    state = session.stateValue
  }
}

extension SessionID {
  /// Returns the sessions of a host, in the order in which they were opened.
  package static func all(on host: isolated Host) -> [SessionID] {
    host.sessions.all.map(\.id)
  }

  /// Returns the entries of the history after a number of them, and the number with those.
  package func history(
    after count: Int, on host: isolated Host
  ) -> (entries: [History.Entry], total: Int) {
    guard let history = host.session(self)?.history else { return ([], count) }
    return (history.snapshot(after: count).entries, history.total)
  }

  /// Returns the number of entries that the history has had, and a stream with an element after
  /// each further one, of which those that nobody has awaited yet are one.
  package func historyEntries(
    on host: isolated Host
  ) -> (total: Int, further: AsyncStream<Int>) {
    guard let session = host.session(self) else { return (0, AsyncStream { $0.finish() }) }
    return (session.history.total, session.history.furtherEntries())
  }
}
