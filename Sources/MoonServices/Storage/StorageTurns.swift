import Glibc
import MoonFiles
import Synchronization

/// The turns of repeated transactions: one of each module at a time, in order.
///
/// Transactions lock nothing. One is repeated if another has changed what it read before it ends.
/// If many were repeated at the same time, all but one would have to be repeated again. While one
/// is urgent, because it has been repeated several times, new ones take turns as well, so that
/// short ones can't outrun a long one forever. An urgent one locks a file, so that those of other
/// programs wait for it too.
final class StorageTurns: Sendable {
  private struct Queue {
    var last: StorageTurn
    var urgentCount = 0
  }

  /// The time between two checks of another program's lock.
  private static let pause = Duration.milliseconds(2)

  private let queues = Mutex<[StorageOwner: Queue]>([:])
  private let secondsMax: Double

  init(secondsMax: Double) { self.secondsMax = secondsMax }

  /// Waits until the previous turn has ended, within the limit.
  ///
  /// A turn is only a courtesy; a transaction that proceeds without it is still correct.
  func next(of owner: StorageOwner, isUrgent: Bool) async -> StorageTurn {
    let turn = StorageTurn(isUrgent: isUrgent)
    let previous = queues.withLock { queues in
      let previous = queues[owner]?.last
      queues[owner, default: Queue(last: turn)].last = turn
      if isUrgent { queues[owner]?.urgentCount += 1 }
      return previous
    }
    if let previous {
      await withTaskGroup { group in
        group.addTask { await previous.isOver() }
        group.addTask { [secondsMax] in try? await Task.sleep(for: .seconds(secondsMax)) }
        await group.next()
        group.cancelAll()
      }
    }
    await waitForOtherPrograms(turn, owner)
    return turn
  }

  /// Waits until no other program has an urgent turn, and locks others out if this one is urgent.
  private func waitForOtherPrograms(_ turn: StorageTurn, _ owner: StorageOwner) async {
    let deadline = ContinuousClock.now + .seconds(secondsMax)
    while ContinuousClock.now < deadline, !Task.isCancelled {
      if turn.isUrgent {
        do throws(SystemError) {
          return turn.hold(try FileLock(owner.lockPath, creating: true))
        } catch {
          guard error.code == EWOULDBLOCK else { return }
        }
      } else if !FileLock.isHeld(owner.lockPath) {
        return
      }
      try? await Task.sleep(for: Self.pause)
    }
  }

  /// Returns whether a new transaction should take a turn.
  func isUrgent(_ owner: StorageOwner) -> Bool {
    queues.withLock { $0[owner]?.urgentCount ?? 0 > 0 } || FileLock.isHeld(owner.lockPath)
  }

  /// Ends a turn.
  func end(_ turn: StorageTurn, of owner: StorageOwner) {
    turn.end()
    queues.withLock { queues in
      if turn.isUrgent { queues[owner]?.urgentCount -= 1 }
      if let queue = queues[owner], queue.last === turn, queue.urgentCount <= 0 {
        queues[owner] = nil
      }
    }
  }
}

/// The owner of entries: a data directory and a module.
struct StorageOwner: Hashable, Sendable {
  let directory: String
  let module: String

  /// The file that is locked while a transaction of the module is urgent.
  fileprivate var lockPath: String { "\(directory)/\(module).turn" }
}

/// One turn.
final class StorageTurn: Sendable {
  let isUrgent: Bool
  private let ending = AsyncStream.makeStream(of: Void.self)
  private let lock = Mutex<FileLock?>(nil)

  init(isUrgent: Bool) { self.isUrgent = isUrgent }

  deinit { end() }

  /// Keeps a lock until the turn ends.
  func hold(_ lock: FileLock) { self.lock.withLock { $0 = lock } }

  func end() {
    lock.withLock { $0 = nil }
    ending.continuation.finish()
  }

  /// Waits for the end; at most one task does.
  func isOver() async {
    for await _ in ending.stream {}
  }
}
