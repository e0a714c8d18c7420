public import MoonActions
public import MoonModules
public import MoonServiceKit
public import MoonValues

/// The most recent actions of a session and their results.
public struct History: Sendable {
  /// The maximum number of entries.
  public static let countMax = 1_000
  /// The maximum size in bytes of the actions that modules made.
  ///
  /// The oldest entries make room for new ones.
  public static let bytesMax = 16 << 20

  /// An action and its result.
  public struct Entry: Sendable {
    /// The action.
    public let action: Action
    /// The result.
    public let result: Result
  }

  /// The result of an action.
  public enum Result: Sendable {
    /// The action was reduced.
    case done(hasChanged: Bool)
    /// A middleware of this module dropped the action, so that it changed nothing.
    case dropped(by: ModuleName, at: SourcePlace?)
    /// The action waits for the routing guard that runs as this task, and comes back later.
    case waiting(for: TaskID)
    /// The action failed, or was refused, and changed nothing.
    case failed(DispatchError)
  }

  /// The entries, oldest first.
  public let entries: [Entry]

  package init(entries: [Entry] = []) { self.entries = entries }
}
