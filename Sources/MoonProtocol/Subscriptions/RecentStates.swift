import Moonwire

/// The last states of a session that subscribers were told of, by the numbers of their commits.
struct RecentStates {
  /// The maximum number of states.
  static let countMax = 100
  /// The maximum memory in bytes of what differs between the states.
  static let byteCountMax = 64 << 20

  private struct Moment {
    let commit: Int64
    var state: Value?
    /// The memory in bytes of the slices that the state before has not.
    let byteCount: Int
  }

  private var moments: [Moment] = []
  private var byteCount = 0

  /// Remembers a state, which is the latest.
  mutating func note(_ moment: StateMoment) {
    guard let last = moments.last, last.commit >= moment.commit else {
      return add(moment)
    }
    guard let index = moments.lastIndex(where: { $0.commit == moment.commit }),
      moments[index].state != moment.state
    else { return }
    // Travel through the timeline shows other states after the same commit, so the number doesn't
    // say which one a client has.
    moments[index].state = nil
  }

  private mutating func add(_ moment: StateMoment) {
    let bytes = Self.cost(of: moment.state, after: moments.last?.state)
    moments.append(Moment(commit: moment.commit, state: moment.state, byteCount: bytes))
    byteCount += bytes
    while moments.count > Self.countMax || byteCount > Self.byteCountMax && moments.count > 1 {
      byteCount -= moments.removeFirst().byteCount
    }
  }

  /// Returns the memory in bytes of the slices that an earlier state has not.
  private static func cost(of state: Value, after former: Value?) -> Int {
    (state.mapValue ?? Map()).reduce(0) { sum, slice in
      let isShared = former?.mapValue?[slice.0]?.isIdentical(to: slice.1) ?? false
      return isShared ? sum : sum + min(slice.1.storageCost, Self.byteCountMax)
    }
  }

  /// Returns the state after a commit; nil if it isn't known.
  func state(after commit: Int64) -> Value? {
    moments.last { $0.commit == commit }?.state
  }
}
