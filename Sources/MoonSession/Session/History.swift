package import MoonActions
package import MoonModules
package import MoonServiceKit
package import MoonValues

/// The most recent actions of a session and their results.
package struct History: Sendable {
  /// The maximum number of entries.
  package static let countMax = 1_000
  /// The maximum size in bytes of the actions that modules made.
  ///
  /// The oldest entries make room for new ones.
  package static let bytesMax = 16 << 20

  /// An action and its result.
  package struct Entry: Sendable {
    /// The action.
    package let action: Action
    /// The result.
    package let result: Result
  }

  /// The result of an action.
  package enum Result: Sendable {
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
  package let entries: [Entry]

  package init(entries: [Entry] = []) { self.entries = entries }
}
