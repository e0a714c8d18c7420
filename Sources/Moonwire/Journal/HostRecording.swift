public import MoonSession

/// Recordings of sessions that are open.
extension Host {
  /// Begins to record a session in a store, from its present state on.
  ///
  /// The recording is a copy: it may begin and end at any time, beside a journal or another
  /// recording, and never holds the session up. If it can't be written, it ends, which is a
  /// ``HostEvent/recordingEnded(_:_:)``.
  ///
  /// - Throws: ``JournalError``, for example if the store already holds a session.
  /// - Complexity: O(size of the state).
  public func beginRecording(
    _ id: SessionID, in store: any JournalStore
  ) throws(JournalError) {
    guard let session = session(id) else {
      throw JournalError(store.name, .failed(DispatchError.noSession.description))
    }
    guard try store.stateNumbers().isEmpty else { throw JournalError(store.name, .taken) }
    let writer = JournalWriter(
      of: session, to: store, after: 0, limits: JournalLimits(), clock: options.clock,
      surroundings: { [unowned self] in assumeIsolated { Surroundings(of: $0) } })
    try writer.keep()
    session.history.copies.add(writer)
  }

  /// Ends a recording, and returns once it is written; returns false if the store records nothing.
  ///
  /// - Throws: ``JournalError`` if the last commits can't be written.
  @discardableResult
  public func endRecording(
    _ id: SessionID, in store: any JournalStore
  ) throws(JournalError) -> Bool {
    guard let session = session(id) else { return false }
    let ended = session.history.copies.remove { ($0 as? JournalWriter)?.store === store }
    try ended?.keep()
    return ended != nil
  }
}
