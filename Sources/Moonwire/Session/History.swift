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

  private var kept: Deque<Entry> = []

  /// The entries, oldest first.
  public var entries: [Entry] { Array(kept) }

  mutating func append(_ action: Action, _ result: Result) {
    if kept.count == Self.countMax { kept.removeFirst() }
    kept.append(Entry(action: action, result: result))
  }
}
