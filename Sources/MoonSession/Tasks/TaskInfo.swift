public import MoonStore

/// Names a task of a session: counted from 1 in the order in which they began.
public struct TaskID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number.
  public let number: Int

  /// Names the task with a number.
  public init(_ number: Int) { self.number = number }

  /// Orders by number.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// The number.
  public var description: String { "\(number)" }
}

/// A task as it is now.
public struct TaskInfo: Sendable {
  /// Its name.
  public let id: TaskID
  /// Whose it is.
  public let module: ModuleName
  /// The load of the module that it belongs to.
  public let generation: Int
  /// The effect that it runs, or whose task has spawned it.
  public let effect: Registration
  /// The task that has spawned it; nil for that of an effect.
  public let parent: TaskID?
  /// The action that started the effect.
  public let action: Action
  /// When it began, in seconds since 1970.
  public let since: Double
  /// What it waits for: `2 s`, `auth/*`, `task 3`; nil if its turn is about to come.
  public let wait: String?
  /// Whether what it waits for comes without anybody dispatching anything.
  public let endsByItself: Bool
}
