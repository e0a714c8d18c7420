import DequeModule
public import MoonStore

/// The last actions of a session, and what became of them.
public struct History: Sendable {
  /// How many are kept.
  public static let countMax = 1_000

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
}

/// An action on its way through a session: made once, then passed by reference.
final class Dispatched {
  /// Apart from the action, since an error is large and seldom there.
  final class Failure {
    let error: DispatchError

    init(_ error: DispatchError) { self.error = error }
  }

  let action: Action
  var hasChanged = false
  var failure: Failure?

  init(_ action: Action) { self.action = action }
}

/// The last actions, kept without copying them.
struct HistoryRing {
  private var kept: Deque<Dispatched> = []

  var snapshot: History {
    History(
      entries: kept.map { dispatched in
        History.Entry(
          action: dispatched.action,
          result: dispatched.failure.map { .failed($0.error) }
            ?? .done(hasChanged: dispatched.hasChanged))
      })
  }

  mutating func append(_ dispatched: Dispatched) {
    if kept.count == History.countMax { kept.removeFirst() }
    kept.append(dispatched)
  }
}
