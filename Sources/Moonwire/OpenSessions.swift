import MoonSession

/// The open sessions of a host.
struct OpenSessions {
  /// The sessions in the order in which they were opened, which is that of their ids.
  private(set) var all: [Session] = []
  /// The sessions in which something is queued.
  let unsettled = UnsettledSessions()
  /// The sessions whose screens are watched.
  let watch = ScreenWatch()
  /// The services that the sessions share; nil until there has been one.
  private(set) var environment: SessionEnvironment?
  private var count = 0

  /// The session with an id; nil if it isn't open.
  ///
  /// - Complexity: O(log sessions).
  subscript(id: SessionID) -> Session? {
    // Inlined so that only the list is read: a method would get a copy of everything.
    @inline(__always) get {
      // Ids follow each other until a session is closed.
      if let first = all.first {
        let index = id.number &- first.id.number
        if index >= 0, index < all.count, all[index].id == id { return all[index] }
      }
      return Self.search(id, in: all)
    }
  }

  @inline(never)
  private static func search(_ id: SessionID, in all: [Session]) -> Session? {
    let index = firstIndex(notBefore: id, in: all)
    return index < all.count && all[index].id == id ? all[index] : nil
  }

  /// Makes a session with the next id.
  mutating func open(_ modules: ModuleSet, _ environment: SessionEnvironment) -> Session {
    count += 1
    self.environment = environment
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
    watch.remove(id)
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
