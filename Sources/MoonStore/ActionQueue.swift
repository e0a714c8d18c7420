public import DequeModule
import MoonValues

/// Actions, in whatever form their owner has them, that wait until those before them are done.
public struct ActionQueue<Waiting> {
  /// How many actions may wait: a module that answers each action with two would never stop.
  @inlinable public static var countMax: Int { 10_000 }
  /// How many bytes all that wait may have: so much fits beside the modules, and is far more than
  /// actions need that only say what happened.
  @inlinable public static var bytesMax: Int { 64 << 20 }

  // Open to inlining: a dispatch that leads to no other asks for the next one in vain.

  @usableFromInline var waiting: Deque<Waiting> = []
  /// The bytes of each.
  @usableFromInline var sizes: Deque<Int> = []
  @usableFromInline var bytes = 0

  /// Makes an empty queue.
  @inlinable public init() {}

  /// Whether none wait.
  @inlinable public var isEmpty: Bool { waiting.isEmpty }
  /// How many wait.
  public var count: Int { waiting.count }
  /// How many bytes the next action may have.
  @inlinable public var bytesLeft: Int { Self.bytesMax - bytes }

  /// Puts an action of so many bytes at the end.
  ///
  /// - Throws: ``ActionQueueFull``; the action isn't taken then.
  @inlinable
  public mutating func append(_ action: Waiting, bytes: Int = 0) throws(ActionQueueFull) {
    guard waiting.count < Self.countMax else { throw .count }
    guard bytes <= bytesLeft else { throw .bytes }
    waiting.append(action)
    sizes.append(bytes)
    self.bytes += bytes
  }

  /// Takes the first action, and how many bytes it has.
  @inlinable
  public mutating func popFirst() -> (action: Waiting, bytes: Int)? {
    guard let first = waiting.popFirst() else { return nil }
    let size = sizes.popFirst() ?? 0
    bytes -= size
    return (first, size)
  }

  /// Forgets all that wait; returns how many there were.
  @discardableResult
  public mutating func removeAll() -> Int {
    defer {
      waiting.removeAll()
      sizes.removeAll()
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

extension ActionQueueFull: CustomStringConvertible {
  /// How much waits already.
  public var description: String {
    switch self {
    case .count: "\(ActionQueue<Action>.countMax) actions are waiting already"
    case .bytes:
      "the actions that wait would have more than \(Wording.size(ActionQueue<Action>.bytesMax))"
    }
  }
}
