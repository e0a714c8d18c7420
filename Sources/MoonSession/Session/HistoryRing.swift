import DequeModule
import MoonActions
import MoonModules

/// The most recent actions of a session and their results.
package struct HistoryRing {
  private struct Record {
    let entry: History.Entry
    let bytes: Int
  }

  private var records: Deque<Record> = []
  private var bytes = 0

  package var snapshot: History { History(entries: records.map(\.entry)) }

  /// Records a commit: the action as it was taken in, or as it was reduced if that says more, then
  /// the other actions that were reduced for it.
  mutating func record(_ transaction: borrowing Transaction, hasChanged: Bool) {
    let taken = transaction.taken
    let result = History.Result.done(hasChanged: hasChanged)
    if transaction.isPlain { return append(taken, bytes: transaction.bytes, result) }
    if let waiting = transaction.navigation?.waiting, !waiting.isEmpty {
      for routing in waiting { append(routing.action, .waiting(for: routing.task)) }
      if transaction.reduced.isEmpty { return }
    }
    let own = transaction.reduced.position(of: taken)
    append(own.map { transaction.reduced[$0].action } ?? taken, result)
    for index in transaction.reduced.indices where index != own {
      append(transaction.reduced[index].action, result)
    }
    // Those of several dispatched as one that middleware dropped.
    for other in transaction.arrival?.others ?? []
    where !transaction.reduced.contains(where: { $0.action.id == other.id }) {
      append(other, result)
    }
  }

  /// Records an action that failed.
  mutating func append(_ action: Action, failedWith error: DispatchError) {
    append(action, .failed(error))
  }

  private mutating func append(_ action: Action, _ result: History.Result) {
    append(action, bytes: action.roughByteCount(upTo: History.bytesMax), result)
  }

  private mutating func append(_ action: Action, bytes count: Int, _ result: History.Result) {
    if records.count == History.countMax { bytes -= records.removeFirst().bytes }
    records.append(Record(entry: History.Entry(action: action, result: result), bytes: count))
    bytes += count
    while bytes > History.bytesMax, records.count > 1 { bytes -= records.removeFirst().bytes }
  }
}
