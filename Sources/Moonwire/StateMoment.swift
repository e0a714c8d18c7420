public import MoonActions
import MoonSession
public import MoonValues

/// The state of a session at one moment.
public struct StateMoment: Sendable {
  /// The number of the last action that the session had taken in; 0 before the first.
  public let commit: Int64
  /// The whole state.
  public let state: Value

  /// Reads the state of a session; nil if there is no such session.
  public init?(of id: SessionID, on host: isolated Host) {
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
}
