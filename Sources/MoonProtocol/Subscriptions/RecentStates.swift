import Moonwire

/// The last states of a session that subscribers were told of, by the numbers of their commits.
struct RecentStates {
  /// The maximum number of states.
  static let countMax = 100

  private var moments: [(commit: Int64, state: Value?)] = []

  /// Remembers a state, which is the latest.
  mutating func note(_ moment: StateMoment) {
    guard let last = moments.last, last.commit >= moment.commit else {
      if moments.count == Self.countMax { moments.removeFirst() }
      return moments.append((moment.commit, moment.state))
    }
    guard let index = moments.lastIndex(where: { $0.commit == moment.commit }),
      moments[index].state != moment.state
    else { return }
    // Travel through the timeline shows other states after the same commit, so the number doesn't
    // say which one a client has.
    moments[index].state = nil
  }

  /// Returns the state after a commit; nil if it isn't known.
  func state(after commit: Int64) -> Value? {
    moments.last { $0.commit == commit }?.state
  }
}
