public import MoonNavigation
public import MoonStore
public import MoonValues

/// Names a session of a host.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
  let number: Int

  package init(number: Int) { self.number = number }

  /// The word session and its number.
  public var description: String { "session \(number)" }
}

/// What a dispatch led to.
public struct Outcome: Sendable {
  /// The action's id; 0 if it was only queued.
  public let id: Int64
  /// The state before.
  public let before: Value
  /// The state when all that followed was done.
  public let after: Value
  /// The navigation before and after; nil if it is as it was.
  public internal(set) var navigation: (before: NavigationTree, after: NavigationTree)?
  /// How many actions followed from it.
  public let followingCount: Int
  /// Those of them that failed.
  public internal(set) var failures: [FollowingFailure] = []
  /// What went wrong in listeners: observers, hooks, and other modules' reducers and mappers.
  ///
  /// Each cost what it would have done and nothing else.
  public internal(set) var faults: [Fault] = []

  init(id: Int64, before: Value, after: Value, followingCount: Int = 0) {
    self.id = id
    self.before = before
    self.after = after
    self.followingCount = followingCount
  }

  /// Whether the state is another one.
  package var hasChangedState: Bool {
    if case .map(let before) = before, case .map(let after) = after {
      return !before.isIdentical(to: after)
    }
    return before != after
  }

  /// What changed.
  ///
  /// - Complexity: O(what changed).
  public var changes: Diff { Diff.changes(from: before, to: after) }
}

/// An action that followed from another and failed.
public struct FollowingFailure: Sendable {
  /// The action.
  public let action: Action
  /// Why it failed.
  public let error: DispatchError
}
