import MoonSession

/// The open sessions of a host.
struct OpenSessions {
  /// The sessions in the order in which they were opened.
  private(set) var all: [Session] = []
  /// The sessions whose screens are watched.
  var watch = ScreenWatch()
  private var byID: [SessionID: Session] = [:]
  private var count = 0

  /// The session with an id; nil if it isn't open.
  subscript(id: SessionID) -> Session? { byID[id] }

  /// Returns the id of the next session.
  mutating func nextID() -> SessionID {
    count += 1
    return SessionID(number: count)
  }

  mutating func add(_ session: Session) {
    all.append(session)
    byID[session.id] = session
  }

  /// Removes a session and returns it.
  ///
  /// - Complexity: O(sessions).
  mutating func remove(_ id: SessionID) -> Session? {
    guard let session = byID.removeValue(forKey: id) else { return nil }
    all.removeAll { $0 === session }
    watch.remove(id)
    return session
  }
}
