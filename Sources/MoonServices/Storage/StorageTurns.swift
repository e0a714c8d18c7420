import Synchronization

/// The turns of transactions that are repeated: one of each module at a time, in order.
///
/// Transactions lock nothing. One that ends after another one has changed what it had read is
/// repeated. If many were repeated at the same time, all but one would have to be repeated again.
final class StorageTurns: Sendable {
  private let last = Mutex<[String: StorageTurn]>([:])
  private let secondsMax: Double

  init(secondsMax: Double) { self.secondsMax = secondsMax }

  /// Waits until the turn before has ended, but not longer than the limit.
  ///
  /// A turn is only a courtesy, so a transaction that goes on without it is still correct.
  func next(of key: String) async -> StorageTurn {
    let turn = StorageTurn()
    let previous = last.withLock { last in
      defer { last[key] = turn }
      return last[key]
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

  /// Ends a turn.
  func end(_ turn: StorageTurn, of key: String) {
    turn.end()
    last.withLock { last in
      if last[key] === turn { last[key] = nil }
    }
  }
}

/// One turn.
final class StorageTurn: Sendable {
  private let ending = AsyncStream.makeStream(of: Void.self)

  deinit { end() }

  func end() { ending.continuation.finish() }

  /// Waits for the end; at most one task does.
  func isOver() async {
    for await _ in ending.stream {}
  }
}
