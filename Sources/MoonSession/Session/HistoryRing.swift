import DequeModule
import MoonActions
import MoonModules
import MoonServiceKit

/// The most recent actions of a session and their results.
package struct HistoryRing {
  private struct Record {
    let action: Action
    let bytes: Int
    let hasChanged: Bool
    let exception: Exception?
  }

  /// A result other than a commit, in an object of its own, since errors are large and rare.
  private final class Exception {
    let result: History.Result

    init(_ result: History.Result) { self.result = result }
  }

  private var records: Deque<Record> = []
  private var bytes = 0
  /// The number of entries so far, with those that have made room for others.
  package private(set) var total = 0
  /// Those outside the host who follow it; nil until somebody does.
  private var readers: Readers<Int>?

  package var snapshot: History { snapshot(after: 0) }

  /// Returns what is left of the entries after a number of them.
  package func snapshot(after count: Int) -> History {
    History(
      entries: records.suffix(max(0, total - count)).map { record in
        History.Entry(
          action: record.action,
          result: record.exception?.result ?? .done(hasChanged: record.hasChanged))
      })
  }

  /// Returns a stream with the number of entries after each further one; the latest number waits.
  package mutating func furtherEntries() -> AsyncStream<Int> {
    let readers = readers ?? Readers()
    self.readers = readers
    return readers.stream(1)
  }

  /// Ends the streams, since nothing more happens.
  package func finish() { readers?.finish() }

  /// Records a commit: the action as it was taken in, or as it was reduced if that says more, then
  /// the other actions that were reduced for it.
  ///
  /// `stopped` are those that middleware dropped.
  mutating func record(
    _ transaction: borrowing Transaction, hasChanged: Bool, stopped: [StoppedAction]
  ) {
    let taken = transaction.taken
    if transaction.isPlain { return append(taken, bytes: transaction.bytes, hasChanged, nil) }
    if let waiting = transaction.navigation?.waiting, !waiting.isEmpty {
      for routing in waiting { append(routing.action, Exception(.waiting(for: routing.task))) }
      if transaction.reduced.isEmpty { return }
    }
    let own = transaction.reduced.position(of: taken)
    if own == nil, let stop = stopped.first(where: { $0.action.id == taken.id }) {
      append(taken, droppedBy: stop)
    } else {
      append(own.map { transaction.reduced[$0].action } ?? taken, hasChanged)
    }
    for index in transaction.reduced.indices where index != own {
      append(transaction.reduced[index].action, hasChanged)
    }
    // Those of several dispatched as one that middleware dropped.
    for other in transaction.arrival?.others ?? []
    where !transaction.reduced.contains(where: { $0.action.id == other.id }) {
      if let stop = stopped.first(where: { $0.action.id == other.id }) {
        append(other, droppedBy: stop)
      } else {
        append(other, hasChanged)
      }
    }
  }

  private mutating func append(_ action: Action, droppedBy stop: StoppedAction) {
    append(action, Exception(.dropped(by: stop.module, at: stop.place)))
  }

  /// Records an action that failed.
  mutating func append(_ action: Action, failedWith error: DispatchError) {
    // An error may have texts of the action in it, once more.
    let bytes = min(action.storageCost + "\(error)".utf8.count, History.bytesMax)
    append(action, bytes: bytes, false, Exception(.failed(error)))
  }

  private mutating func append(_ action: Action, _ exception: Exception) {
    append(action, bytes: min(action.storageCost, History.bytesMax), false, exception)
  }

  private mutating func append(_ action: Action, _ hasChanged: Bool) {
    append(action, bytes: min(action.storageCost, History.bytesMax), hasChanged, nil)
  }

  private mutating func append(
    _ action: Action, bytes count: Int, _ hasChanged: Bool, _ exception: Exception?
  ) {
    if records.count == History.countMax { bytes -= records.removeFirst().bytes }
    records.append(
      Record(action: action, bytes: count, hasChanged: hasChanged, exception: exception))
    bytes += count
    total += 1
    readers?.tell(total)
    while bytes > History.bytesMax, records.count > 1 { bytes -= records.removeFirst().bytes }
  }
}
