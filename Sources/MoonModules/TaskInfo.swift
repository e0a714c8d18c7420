public import MoonActions
public import MoonServiceKit

/// The identity of a task in its session.
///
/// Tasks are numbered from 1 in the order in which they began.
public struct TaskID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number.
  package let number: Int

  /// Makes the identity of the task with a number.
  package init(_ number: Int) { self.number = number }

  /// Orders tasks by number.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// The number.
  public var description: String { "\(number)" }
}

/// A snapshot of a task.
public struct TaskInfo: Sendable {
  /// A durable task, which continues after its program was killed.
  package struct Durable: Sendable, Equatable {
    /// The number in the journal, from 1.
    package let number: Int64
    /// Whether it continues on code that is no longer in service.
    package let isOnEarlierCode: Bool
    /// A short mark of the files whose code it continues on, which other files don't have.
    ///
    /// Each run numbers generations from the start.
    package let code: String

    /// Makes the description of a task.
    package init(number: Int64, isOnEarlierCode: Bool, code: String) {
      self.number = number
      self.isOnEarlierCode = isOnEarlierCode
      self.code = code
    }
  }

  /// The identity of the task.
  public let id: TaskID
  /// The module that the task belongs to.
  public let module: ModuleName
  /// The generation of the module that the task belongs to.
  package let generation: Int
  /// The effect that started the task, or the task that spawned it.
  public let effect: Registration
  /// The task that spawned this one; nil if an action started it.
  package let parent: TaskID?
  /// The action that started the effect, or that a timer dispatches.
  public let action: Action
  /// The time at which the task began, in seconds since 1970.
  public let since: Double
  /// The durable task that the task is a part of; nil if it ends with the program.
  package let durable: Durable?
  /// Whether the task is one of an effect that runs as long as its module is in service.
  package let isKept: Bool
  /// The current wait: `2 s`, `auth/*`, `task 3`; nil if the task is ready.
  public let wait: String?
  /// Whether the wait can end without a dispatched action, and isn't that of a timer or a kept
  /// effect.
  package let endsWithoutAction: Bool
  /// Whether a caller waits for its answer, such as that of a command.
  package let isAwaited: Bool

  /// Makes the description of a task.
  package init(
    id: TaskID, module: ModuleName, generation: Int, effect: Registration, parent: TaskID?,
    action: Action, since: Double, durable: Durable?, isKept: Bool, wait: String?,
    endsWithoutAction: Bool, isAwaited: Bool
  ) {
    self.id = id
    self.module = module
    self.generation = generation
    self.effect = effect
    self.parent = parent
    self.action = action
    self.since = since
    self.durable = durable
    self.isKept = isKept
    self.wait = wait
    self.endsWithoutAction = endsWithoutAction
    self.isAwaited = isAwaited
  }
}
