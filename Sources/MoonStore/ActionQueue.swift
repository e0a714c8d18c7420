import DequeModule

/// Actions, in whatever form their owner has them, that wait until those before them are done.
public struct ActionQueue<Waiting> {
  /// How many actions may wait: a module that answers each action with two would never stop.
  public static var countMax: Int { 10_000 }
  /// How many bytes all that wait may have: so much fits beside the modules, and is far more than
  /// actions need that only say what happened.
  public static var bytesMax: Int { 64 << 20 }

  private var waiting: Deque<(action: Waiting, bytes: Int)> = []
  private var bytes = 0

  /// Makes an empty queue.
  public init() {}

  /// How many wait.
  public var count: Int { waiting.count }
  /// How many bytes the next action may have.
  public var bytesLeft: Int { Self.bytesMax - bytes }

  /// Puts an action of so many bytes at the end.
  ///
  /// - Throws: ``ActionQueueFull``; the action isn't taken then.
  public mutating func append(_ action: Waiting, bytes: Int = 0) throws(ActionQueueFull) {
    guard waiting.count < Self.countMax else { throw .count }
    guard bytes <= bytesLeft else { throw .bytes }
    waiting.append((action, bytes))
    self.bytes += bytes
  }

  /// Takes the first action.
  public mutating func popFirst() -> Waiting? {
    guard let first = waiting.popFirst() else { return nil }
    bytes -= first.bytes
    return first.action
  }

  /// Forgets all that wait; returns how many there were.
  @discardableResult
  public mutating func removeAll() -> Int {
    defer {
      waiting.removeAll()
      bytes = 0
    }
    return waiting.count
  }
}

/// A queue holds as much as it may.
public enum ActionQueueFull: Error, Sendable, Equatable {
  /// So many actions.
  case count
  /// So many bytes.
  case bytes
}
