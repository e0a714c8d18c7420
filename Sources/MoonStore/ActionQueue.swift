import DequeModule

/// Actions, in whatever form their owner has them, that wait until those before them are done.
public struct ActionQueue<Waiting> {
  /// How many actions may wait: a module that answers each action with two would never stop.
  public static var countMax: Int { 10_000 }

  private var waiting: Deque<Waiting> = []

  /// Makes an empty queue.
  public init() {}

  /// How many wait.
  public var count: Int { waiting.count }

  /// Puts an action at the end.
  ///
  /// - Throws: ``ActionQueueFull``; the action isn't taken then.
  public mutating func append(_ action: Waiting) throws(ActionQueueFull) {
    guard waiting.count < Self.countMax else { throw ActionQueueFull() }
    waiting.append(action)
  }

  /// Takes the first action.
  public mutating func popFirst() -> Waiting? { waiting.popFirst() }

  /// Forgets all that wait; returns how many there were.
  @discardableResult
  public mutating func removeAll() -> Int {
    defer { waiting.removeAll() }
    return waiting.count
  }
}

/// A queue holds as many actions as it may.
public struct ActionQueueFull: Error, Sendable, Equatable {}
