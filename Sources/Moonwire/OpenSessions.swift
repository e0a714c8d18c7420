import MoonActions
import MoonSession

/// The open sessions of a host.
struct OpenSessions {
  /// The sessions in the order in which they were opened, which is that of their ids.
  private(set) var all: [Session] = []
  /// The sessions in which something is queued.
  let unsettled = UnsettledSessions()
  private var count = 0

  /// The session with an id; nil if it isn't open.
  ///
  /// - Complexity: O(log sessions).
  subscript(id: SessionID) -> Session? {
    let index = Self.firstIndex(notBefore: id, in: all)
    return index < all.count && all[index].id == id ? all[index] : nil
  }

  /// Makes a session with the next id.
  mutating func open(_ modules: ModuleSet, _ environment: SessionEnvironment) -> Session {
    count += 1
    let session = Session(
      id: SessionID(number: count), modules: modules, environment: environment)
    all.append(session)
    return session
  }

  /// Removes a session and returns it.
  ///
  /// - Complexity: O(sessions).
  mutating func remove(_ id: SessionID) -> Session? {
    guard let session = self[id] else { return nil }
    all.remove(at: Self.firstIndex(notBefore: id, in: all))
    unsettled.remove(id)
    return session
  }

  private static func firstIndex(notBefore id: SessionID, in all: [Session]) -> Int {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].id.number < id.number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
