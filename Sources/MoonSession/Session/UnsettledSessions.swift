package import MoonActions

/// The sessions of a host with queued actions, ready tasks or unreported faults that no dispatch is
/// about to take care of.
///
/// After work on one of many sessions, the host settles these only. Confined to the host.
package final class UnsettledSessions {
  private var numbers: Set<Int> = []

  package init() {}

  /// Notes that something waits in a session.
  func note(_ id: SessionID) { numbers.insert(id.number) }

  /// Forgets a session that is closed.
  package func remove(_ id: SessionID) { numbers.remove(id.number) }

  /// Removes and returns the sessions, in the order in which they were opened.
  package func take() -> [SessionID] {
    guard !numbers.isEmpty else { return [] }
    defer { numbers = [] }
    return numbers.sorted().map { SessionID(number: $0) }
  }
}
