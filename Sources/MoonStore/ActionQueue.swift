import DequeModule

/// Actions that wait until those before them are done.
public struct ActionQueue: Sendable {
  /// How many actions may wait: a module that answers each action with two would never stop.
  public static let countMax = 10_000

  /// The queue holds as many actions as it may.
  public struct Full: Error, Sendable, Equatable {}

  private var waiting: Deque<Action> = []

  /// Makes an empty queue.
  public init() {}

  /// How many wait.
  public var count: Int { waiting.count }

  /// Puts an action at the end.
  ///
  /// - Throws: ``Full``; the action isn't taken then.
  public mutating func append(_ action: Action) throws(Full) {
    guard waiting.count < Self.countMax else { throw Full() }
    waiting.append(action)
  }

  /// Takes the first action.
  public mutating func popFirst() -> Action? { waiting.popFirst() }

  /// Forgets all that wait; returns how many there were.
  @discardableResult
  public mutating func removeAll() -> Int {
    defer { waiting.removeAll() }
    return waiting.count
  }
}
