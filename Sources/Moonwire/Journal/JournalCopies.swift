package import MoonActions
package import MoonModules
package import MoonServiceKit
import MoonSession

extension Journal {
  /// Returns the reason that the journal of a session lacks some of its commits; nil if it has all,
  /// or there is no journal.
  package static func failure(of id: SessionID, on host: isolated Host) -> JournalError? {
    host.session(id)?.recorders.journal?.failure
  }

  /// Returns the number of durable tasks of a session whose modules aren't in service, by module.
  ///
  /// They stay in the journal, and continue once their modules are in service.
  package static func tasksWithoutModule(
    of id: SessionID, on host: isolated Host
  ) -> [ModuleName: Int] {
    host.session(id)?.durable?.countsWithoutModule ?? [:]
  }
}

/// Recordings of sessions that are open.
extension Journal {
  /// Begins to record an open session, from its present state on.
  ///
  /// The recording is a copy: it may begin and end at any time, beside the journal that keeps the
  /// session, and never holds the session up. If it can't be written, it ends, which is a
  /// ``HostEvent/recordingEnded(_:_:)``.
  ///
  /// - Throws: ``JournalError``, for example if the store already holds a session.
  /// - Complexity: O(size of the state).
  public func beginCopy(of id: SessionID, on host: isolated Host) throws(JournalError) {
    guard let session = host.session(id) else {
      throw JournalError(store.name, .failed(DispatchError.noSession.description))
    }
    guard try store.stateNumbers().isEmpty else { throw JournalError(store.name, .taken) }
    let writer = JournalWriter(
      of: session, to: store, after: 0, limits: limits, clock: host.options.clock,
      surroundings: { [unowned host] in host.assumeIsolated { Surroundings(of: $0) } })
    // What durable tasks have learned is in the journal only.
    writer.begin(with: nil)
    try writer.keep()
    session.recorders.add(copy: writer)
  }

  /// Ends the recording, and returns once it is written; returns false if there is none.
  ///
  /// - Throws: ``JournalError`` if the last commits can't be written.
  @discardableResult
  public func endCopy(of id: SessionID, on host: isolated Host) throws(JournalError) -> Bool {
    guard let session = host.session(id) else { return false }
    let ended = session.recorders.removeCopy { ($0 as? JournalWriter)?.store === store }
    try ended?.keep()
    return ended != nil
  }
}
