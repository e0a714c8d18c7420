import DequeModule
public import MoonStore

/// The last actions of a session, and what became of them.
public struct History: Sendable {
  /// How many are kept.
  public static let countMax = 1_000
  /// How many bytes those may have that modules have made: the oldest go for the sake of new ones.
  public static let bytesMax = 16 << 20

  /// One action.
  public struct Entry: Sendable {
    /// The action.
    public let action: Action
    /// What became of it.
    public let result: Result
  }

  /// What became of an action.
  public enum Result: Sendable {
    /// It was reduced.
    case done(hasChanged: Bool)
    /// It failed and changed nothing.
    case failed(DispatchError)
  }

  /// The entries, oldest first.
  public let entries: [Entry]

  package init(entries: [Entry]) { self.entries = entries }
}

/// The last actions, kept small: an error is large and seldom there.
struct HistoryRing {
  private final class Failure {
    let error: DispatchError

    init(_ error: DispatchError) { self.error = error }
  }

  private struct Record {
    let action: Action
    let bytes: Int
    let hasChanged: Bool
    let failure: Failure?
  }

  private var kept: Deque<Record> = []
  private var bytes = 0

  var snapshot: History {
    History(
      entries: kept.map { record in
        History.Entry(
          action: record.action,
          result: record.failure.map { .failed($0.error) } ?? .done(hasChanged: record.hasChanged))
      })
  }

  /// Records what was committed: the action as it was taken in, or as it was reduced where that
  /// says more, then what else was reduced for it.
  mutating func record(_ transaction: borrowing Transaction, hasChanged: Bool) {
    let taken = transaction.taken
    guard !transaction.isPlain else {
      return append(taken, bytes: transaction.bytes, hasChanged)
    }
    var reduced = transaction.reduced.map(\.action)
    let own = reduced.firstIndex { $0.meta.id == taken.meta.id && $0.type == taken.type }
    let first = own.map { reduced.remove(at: $0) } ?? taken
    for action in [first] + reduced {
      append(action, bytes: action.roughByteCount(upTo: History.bytesMax), hasChanged)
    }
  }

  private mutating func append(_ action: Action, bytes: Int, _ hasChanged: Bool) {
    append(Record(action: action, bytes: bytes, hasChanged: hasChanged, failure: nil))
  }

  mutating func append(_ action: Action, bytes: Int, failedWith error: DispatchError) {
    append(Record(action: action, bytes: bytes, hasChanged: false, failure: Failure(error)))
  }

  private mutating func append(_ record: Record) {
    if kept.count == History.countMax { bytes -= kept.removeFirst().bytes }
    kept.append(record)
    bytes += record.bytes
    while bytes > History.bytesMax, kept.count > 1 { bytes -= kept.removeFirst().bytes }
  }
}
