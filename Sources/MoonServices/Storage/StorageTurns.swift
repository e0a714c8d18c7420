import Synchronization

/// The turns of transactions that are repeated: one of each module at a time, in order.
///
/// Transactions lock nothing. One that ends after another one has changed what it had read is
/// repeated. If many were repeated at the same time, all but one would have to be repeated again.
/// While one is urgent, because it has been repeated several times, new ones take turns as well, so
/// that short ones can't outrun a long one for ever.
final class StorageTurns: Sendable {
  private struct Queue {
    var last: StorageTurn
    var urgentCount = 0
  }

  private let queues = Mutex<[String: Queue]>([:])
  private let secondsMax: Double

  init(secondsMax: Double) { self.secondsMax = secondsMax }

  /// Waits until the turn before has ended, but not longer than the limit.
  ///
  /// A turn is only a courtesy, so a transaction that goes on without it is still correct.
  func next(of key: String, isUrgent: Bool) async -> StorageTurn {
    let turn = StorageTurn(isUrgent: isUrgent)
    let previous = queues.withLock { queues in
      let previous = queues[key]?.last
      queues[key, default: Queue(last: turn)].last = turn
      if isUrgent { queues[key]?.urgentCount += 1 }
      return previous
    }
    guard let previous else { return turn }
    await withTaskGroup { group in
      group.addTask { await previous.isOver() }
      group.addTask { [secondsMax] in try? await Task.sleep(for: .seconds(secondsMax)) }
      await group.next()
      group.cancelAll()
    }
    return turn
  }

  /// Whether a new transaction should take a turn.
  func isUrgent(_ key: String) -> Bool { queues.withLock { $0[key]?.urgentCount ?? 0 > 0 } }

  /// Ends a turn.
  func end(_ turn: StorageTurn, of key: String) {
    turn.end()
    queues.withLock { queues in
      if turn.isUrgent { queues[key]?.urgentCount -= 1 }
      if let queue = queues[key], queue.last === turn, queue.urgentCount <= 0 { queues[key] = nil }
    }
  }
}

/// One turn.
final class StorageTurn: Sendable {
  let isUrgent: Bool
  private let ending = AsyncStream.makeStream(of: Void.self)

  init(isUrgent: Bool) { self.isUrgent = isUrgent }

  deinit { end() }

  func end() { ending.continuation.finish() }

  /// Waits for the end; at most one task does.
  func isOver() async {
    for await _ in ending.stream {}
  }
}
